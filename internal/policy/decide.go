package policy

import (
	"slices"
	"strings"

	"hermes/internal/question"
)

// Decide is the closed set of what a rule does with an ask.
type Decide string

const (
	Forward     Decide = "forward"      // people decide
	Reject      Decide = "reject"       // dismissed; a permission is rejected
	AcceptFirst Decide = "accept-first" // the first choice of every question; without one: reject
	Auto        Decide = "auto"         // the answers of the rule
	AllowOnce   Decide = "allow-once"   // of permissions
)

// Deciding is how a rule decides.
type Deciding struct {
	Decide      Decide
	Answers     []Given // Auto
	Fallback    Decide  // Auto, for questions that Answers do not answer: Reject or AcceptFirst
	Recommended bool    // a label that says "(Recommended)" counts as the first choice
}

// Given is an answer to the questions that it fits: those that meet every condition
// that it has.
type Given struct {
	Header string // a part of the header; empty: any
	Text   string // a part of the text; empty: any
	Number int    // the question's place in the ask, from 1; 0: any
	Answer []string
}

// answers reports whether the rule answers questions itself.
func (d Deciding) answers() bool { return d.Decide == AcceptFirst || d.Decide == Auto }

// allows reports whether the rule gives by itself what was asked for. Every other rule
// restricts: it says who may give it, or that nobody may.
func (d Deciding) allows() bool { return d.answers() || d.Decide == AllowOnce }

// decides reports whether people are left out.
func (d Deciding) decides() bool { return d.Decide != "" && d.Decide != Forward }

// Decision is what the rule decides by itself, with its name and without a time; false:
// people decide. It is always a valid answer to the request.
func (r Rule) Decision(q question.Request) (question.Decision, bool) {
	d := question.Decision{By: question.Actor{Kind: question.RuleActor, Name: r.Name}}
	ok := false
	switch {
	case r.Unsure || !r.decides() || r.Name == "":
		return question.Decision{}, false
	case r.Decide == AllowOnce && q.Permission != nil:
		d.Answers, ok = question.Answers{{question.Once}}, true
	case r.answers() && q.Permission == nil:
		d.Answers, ok = r.answer(q)
	}
	if !ok {
		d.Reject, d.Answers = true, nil
	}
	return d, true
}

// answer answers every question, or reports that one has no answer.
func (r Rule) answer(q question.Request) (question.Answers, bool) {
	var all question.Answers
	for n, item := range q.Items {
		labels, ok := r.given(item, n+1)
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

// given is what the first of the rule's answers that fits the question says, if the
// question takes that.
func (r Rule) given(item question.Item, number int) ([]string, bool) {
	n := slices.IndexFunc(r.Answers, func(g Given) bool { return g.fits(item, number) })
	if n < 0 {
		return nil, false
	}
	var labels []string
	for _, text := range r.Answers[n].Answer {
		label, ok := labelFor(item, text)
		if !ok {
			return nil, false
		}
		if !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
	}
	return labels, len(labels) == 1 || item.Multiple && len(labels) > 1
}

func (g Given) fits(item question.Item, number int) bool {
	return (g.Header == "" || anyPart([]string{g.Header}, item.Header)) &&
		(g.Text == "" || anyPart([]string{g.Text}, item.Text)) &&
		(g.Number == 0 || g.Number == number)
}

// labelFor finds the option that an answer names: to the letter, else but for case,
// white space and the mark of a recommendation, if that names one alone. Where the
// question takes other texts too, any other answer is sent as it is.
func labelFor(item question.Item, text string) (string, bool) {
	var labels []string
	for _, o := range item.Options {
		if o.Label == text {
			return text, true
		}
		same := normal(o.Label) == normal(text) || normal(question.Unmarked(o.Label)) == normal(text)
		if same && !slices.Contains(labels, o.Label) {
			labels = append(labels, o.Label)
		}
	}
	switch {
	case len(labels) == 1:
		return labels[0], true
	case len(labels) > 1 || !item.TakesText() || strings.TrimSpace(text) == "":
		return "", false
	}
	return text, true
}
