package policy

import (
	"slices"

	"hermes/internal/fields"
	"hermes/internal/question"
)

// Decide is the closed set of what a rule does with an ask.
type Decide string

const (
	Forward     Decide = "forward"      // people decide
	Reject      Decide = "reject"       // dismissed; a permission is rejected
	AcceptFirst Decide = "accept-first" // the first choice of every question; without one: reject
	Auto        Decide = "auto"         // the answers of the rule
)

// allowOnce is what earlier versions took for a decision about permissions; see checkAllows.
const allowOnce Decide = "allow-once"

// AutoDecision is how a rule decides.
type AutoDecision struct {
	Decide      Decide
	Answers     []PresetAnswer // Auto
	Fallback    Decide         // Auto, for questions that Answers do not answer: Reject or AcceptFirst; empty: Reject, or people (see asksPeople)
	Recommended bool           // a label that says "(Recommended)" counts as the first choice
}

// PresetAnswer is an answer to the questions that it fits: those that meet every condition
// that it has.
type PresetAnswer struct {
	Header string // a part of the header; empty: any
	Text   string // a part of the text; empty: any
	Number int    // the question's place in the ask, from 1; 0: any
	Answer []PresetText
}

// answersQuestions reports whether the rule answers questions itself.
func (d AutoDecision) answersQuestions() bool { return d.Decide == AcceptFirst || d.Decide == Auto }

// decidesAlone reports whether the rule decides without people.
func (d AutoDecision) decidesAlone() bool { return d.Decide != "" && d.Decide != Forward }

// Decision returns what the rule decides by itself, with its name and without a time; false:
// people decide. It is always a valid answer to the request, and of a permission always the rejection. A form is answered only by a rule that says so, field by
// field (see answerForm); any other rule that answers leaves it to people.
func (r Rule) Decision(q question.Request) (question.Decision, bool) {
	d := question.Decision{By: question.Actor{Kind: question.RuleActor, Name: r.Name}}
	ok := false
	switch {
	case r.Unsure || !r.decidesAlone() || r.Name == "":
		return question.Decision{}, false
	case r.answersQuestions() && q.Form != nil:
		d.Answers, ok = r.answerForm(q)
		return d, ok
	case r.answersQuestions() && (q.Permission != nil || r.asksPeople(q)):
		return question.Decision{}, false
	case r.answersQuestions():
		d.Answers, ok = r.answerAll(q)
	}
	if !ok {
		d.Reject, d.Answers = true, nil
	}
	return d, true
}

// answerAll answers every question, or reports that one has no answer.
func (r Rule) answerAll(q question.Request) (question.Answers, bool) {
	var all question.Answers
	for n, item := range q.Items {
		labels, match := r.presetFor(item, n+1)
		ok := match == presetTaken
		if !ok && (r.Decide == AcceptFirst || r.Fallback == AcceptFirst) {
			var first string
			first, ok = item.FirstChoice(r.Recommended)
			labels = []string{first}
		}
		if !ok {
			return nil, false
		}
		all = append(all, labels)
	}
	return all, len(all) > 0
}

// answerForm answers a form if the rule has an answer for every field that must have one: a rule for questions is none
// for what a program asks. An answer for a field names it, by its header or text, and is a value that the field takes, or the
// label of one. Nobody but a person says that they have opened an address.
func (r Rule) answerForm(q question.Request) (question.Answers, bool) {
	answers := make(question.Answers, len(q.Items))
	answered := false
	for n, item := range q.Items {
		at := slices.IndexFunc(r.Answers, func(g PresetAnswer) bool { return g.namesField(item, n+1) })
		if at < 0 || !q.Asked(answers)[n] {
			continue
		}
		if item.Field == nil || item.Field.Kind == fields.External {
			return nil, false
		}
		for _, text := range r.Answers[at].Answer {
			answers[n] = append(answers[n], valueFor(item, text.Text))
		}
		answered = true
	}
	_, why := q.Check(answers)
	if !answered || why != "" {
		return nil, false
	}
	return answers, true
}

// namesField reports whether the answer is for this field, and says which.
func (g PresetAnswer) namesField(item question.Item, number int) bool {
	return (g.Header != "" || g.Text != "") && g.appliesTo(item, number)
}

// valueFor is the value of the option that an answer names, if that is one alone; else the answer itself.
func valueFor(item question.Item, text string) string {
	value, found := text, 0
	for _, o := range item.Options {
		switch {
		case o.ID == text:
			return text
		case foldText(o.Label) == foldText(text):
			value, found = o.ID, found+1
		}
	}
	if found > 1 {
		return text
	}
	return value
}

func (g PresetAnswer) appliesTo(item question.Item, number int) bool {
	return (g.Header == "" || anyPart([]string{g.Header}, item.Header)) &&
		(g.Text == "" || anyPart([]string{g.Text}, item.Text)) &&
		(g.Number == 0 || g.Number == number)
}
