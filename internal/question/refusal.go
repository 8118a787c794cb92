package question

import "fmt"

// RefusedAnswers says that OpenCode's server does not take the answers to a form, and that the form still waits: they break
// a rule that hermes does not know, such as a pattern in a syntax that Go has not.
type RefusedAnswers struct {
	Message string // the server's own words: text of a stranger
}

func (e *RefusedAnswers) Error() string {
	return fmt.Sprintf("OpenCode's server does not take the answers: %.200q", e.Message)
}

// Reopened is the thread after OpenCode's server has refused its decision: people are asked again, with what they chose
// and with the server's words. Nothing of it is taken for delivered. It must have a decision that is not a rejection.
func (t Thread) Reopened(refused RefusedAnswers) Thread {
	t = t.Clone()
	w := t.Wizard
	if len(w.Choices) == 0 {
		w.Choices = t.Request.choicesOf(t.Decision.Answers)
	}
	w.State, w.Typing, w.Page, w.Step = Asking, false, 0, len(t.Request.Items)
	if w.Step == 1 {
		w.Step = 0 // one item has no review
	}
	w.Rev++
	w.Notice = Notice{Kind: Refused, Item: w.Step, Text: refused.Message}
	t.Wizard, t.Decision, t.Delivery, t.Announce = w, nil, Delivery{}, false
	t.Rev++
	return t
}

// choicesOf are the choices that the answers came from: those of a program or a rule have none of their own.
func (r Request) choicesOf(a Answers) []Choice {
	choices := make([]Choice, len(r.Items))
	for i, item := range r.Items {
		choices[i] = item.choiceOf(a.at(i))
		choices[i].Skipped = choices[i].empty() && item.optional()
	}
	return choices
}
