package question

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"hermes/internal/session"
)

// ErrNoThread says that hermes does not know the question (any more).
var ErrNoThread = errors.New("there is no such question")

// TakesLate reports whether an answer to the thread can still be sent as a prompt: to a
// question that was lost with its answer, that nobody answered in time, or that a rule has answered. Permissions, forms and
// questions that a person dismissed take none.
func (t Thread) TakesLate() bool {
	if t.Outcome == nil || t.Request.Permission != nil || t.Request.Form != nil {
		return false
	}
	return t.drivable() && (t.corrects() || t.timedOut() || t.lost())
}

// corrects reports whether a rule has answered, or dismissed, and the agent knows: a late
// answer corrects that.
func (t Thread) corrects() bool {
	o := t.Outcome
	return o != nil && o.By.Kind == RuleActor && o.Kind.Decided()
}

// timedOut reports whether nobody has answered in time, and the agent was given what the
// deadline decided: a late answer still reaches its session.
func (t Thread) timedOut() bool {
	o := t.Outcome
	return o != nil && o.By.Kind == Deadline && o.Kind.Decided()
}

func (t Thread) lost() bool {
	dismissed := t.Decision != nil && t.Decision.Reject && t.Decision.By.Kind == Person
	return !dismissed && t.Outcome.Kind.Lost()
}

// TakesPrompts reports whether the ask has ended, and the session that asked it is known, lives
// as far as is known, and takes prompts.
func (t Thread) TakesPrompts() bool {
	return t.Outcome != nil && t.Outcome.Kind != OutcomeDeleted && t.HasSession()
}

// drivable reports whether it is a question whose session is known, and is one that takes prompts.
func (t Thread) drivable() bool {
	return t.HasSession() && len(t.Request.Items) > 0
}

// HasSession reports whether the session that asked is known, and is one that takes prompts. What
// asks by a form is no agent.
func (t Thread) HasSession() bool {
	o := t.LastOrigin()
	return t.LateSession() != "" && t.Request.Protocol.TakesPrompts() && t.Request.Admission == nil && t.Request.Form == nil && o.Directory != "" && o.Way != session.AskAPI
}

// LateSession is the session that a late answer goes to: the one that people talk to,
// as a subagent's ended with its question.
func (t Thread) LateSession() session.ID {
	if t.Place.Root != "" {
		return t.Place.Root
	}
	return t.Request.Session
}

// LastOrigin is where the thread was seen last; zero if nowhere.
func (t Thread) LastOrigin() session.Origin {
	if len(t.Origins) == 0 {
		return session.Origin{}
	}
	return t.Origins[len(t.Origins)-1]
}

// LostAnswers are what a person has decided and the agent never got, of a question that takes a
// late answer; nil: nothing.
func (t Thread) LostAnswers() Answers {
	if d := t.Decision; d != nil && d.By.Kind == Person && t.TakesLate() && t.lost() {
		return d.Answers
	}
	return nil
}

// AnswersOf are those that a tap on a button of the question means after its end, with what people had
// chosen before; nil: none.
func (t Thread) AnswersOf(m WizardInput) Answers {
	if m.Action != Pick && m.Action != Done && m.Action != Send {
		return nil
	}
	w, err := Wizard{Step: m.Item, Rev: m.Rev, Choices: t.chosen()}.Apply(t.Request, m)
	if err != nil || !slices.ContainsFunc(w.Choices, func(c Choice) bool { return !c.empty() }) {
		return nil
	}
	return w.Answers(t.Request)
}

// chosen are the choices that people have made, and not dismissed. A deadline that dismissed leaves them as they were.
func (t Thread) chosen() []Choice {
	d := t.Decision
	if d == nil || d.By.Kind == Person && !d.Reject || d.By.Kind == Deadline && d.Reject {
		return t.Wizard.copyChoices(len(t.Request.Items))
	}
	return make([]Choice, len(t.Request.Items))
}

// LatePrompt is what the session is told by answers that come after the end: what was asked and what the answer is, to the
// letter, for it may remember neither. An item without an answer is left out.
func (t Thread) LatePrompt(answers Answers) string {
	var parts []string
	for i, item := range t.Request.Items {
		if answer := answers.at(i); len(answer) > 0 {
			parts = append(parts, t.latePart(item.asks(), t.Outcome.Answers.at(i), answer))
		}
	}
	return strings.Join(parts, "\n\n")
}

// LateText is LatePrompt of a text. Where people have left several items open, it answers them together: the text itself says
// which of them it means.
func (t Thread) LateText(text string) string {
	w := Wizard{Choices: t.chosen()}
	if !slices.ContainsFunc(w.Choices, Choice.empty) {
		w.Choices = make([]Choice, len(t.Request.Items)) // who writes has thought better of it
	}
	var open, given []string
	for i, item := range t.Request.Items {
		if w.Choices[i].empty() {
			open, given, w.Step = append(open, item.asks()), append(given, t.Outcome.Answers.at(i)...), i
		}
	}
	if len(open) == 1 {
		if said, err := w.Apply(t.Request, WizardInput{Action: Say, Text: text}); err == nil {
			return t.LatePrompt(said.Answers(t.Request))
		}
	}
	part := t.latePart(strings.Join(open, " "), given, []string{text})
	if before := t.LatePrompt(w.Answers(t.Request)); before != "" {
		return before + "\n\n" + part
	}
	return part
}

// latePart is what the session is told of a question whose agent got given, if anything.
func (t Thread) latePart(text string, given, answer []string) string {
	switch {
	case t.corrects():
		return correction(text, given, answer)
	case t.timedOut():
		return lateInTime(text, given, answer)
	}
	return "Your question was: " + text + "\nMy answer: " + strings.Join(answer, ", ")
}

// asks is what the item asks, its header where it has no text.
func (i Item) asks() string {
	if strings.TrimSpace(i.Text) == "" {
		return i.Header
	}
	return i.Text
}

func correction(text string, ruled, answer []string) string {
	switch {
	case len(ruled) == 0:
		return "A rule dismissed your question " + inQuotes(text) + ". My answer: " + inQuotes(answer...) + "."
	case equalLists(ruled, answer):
		return "A rule answered your question " + inQuotes(text) + " with " + inQuotes(ruled...) + ". That is right."
	}
	return "A rule answered your question " + inQuotes(text) + " with " + inQuotes(ruled...) + ". Correction: " + inQuotes(answer...) + "."
}

// lateInTime is what the session is told of one item that nobody answered in time: taken is what
// the deadline chose for it, empty if it chose nothing.
func lateInTime(text string, taken, answer []string) string {
	told := "Nobody answered your question " + inQuotes(text) + " in time"
	switch {
	case len(taken) == 0:
		return told + ". My answer: " + inQuotes(answer...) + "."
	case equalLists(taken, answer):
		return told + ", so it got " + inQuotes(taken...) + ". That is right."
	}
	return told + ", so it got " + inQuotes(taken...) + ". Correction: " + inQuotes(answer...) + "."
}

func inQuotes(all ...string) string { return "“" + strings.Join(all, "”, “") + "”" }

// ReplyPrompt is what the session is told by a reply to the card of an ask that has ended: an answer that the ask still
// takes, else the text as it is. Where that names a choice of the only question, it says of which: "2" alone
// tells the agent nothing.
func (t Thread) ReplyPrompt(text string) string {
	if t.TakesLate() {
		return t.LateText(text)
	}
	if len(t.Request.Items) != 1 {
		return text
	}
	for i, o := range t.Request.Items[0].Options {
		if said := strings.TrimSpace(text); said == strconv.Itoa(i+1) || strings.EqualFold(said, o.Label) {
			return "About your question " + inQuotes(t.Request.Items[0].Text) + ": " + inQuotes(o.Label) + "."
		}
	}
	return text
}
