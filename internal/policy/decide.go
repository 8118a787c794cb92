package policy

import (
	"fmt"
	"slices"
	"strings"

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

// PresetText is one text of an answer that a rule gives.
type PresetText struct {
	Text string
	Own  bool // words of one's own, which are sent as they are; else the label of an option
}

// presetMatch is the closed set of what a rule's answers are to a question.
type presetMatch string

const (
	presetNone  presetMatch = "none"  // no entry is for it
	presetTaken presetMatch = "taken" // the question takes what the entry says
	presetUnfit presetMatch = "unfit" // it does not: something is none of its options
)

// presetFor returns the first of the rule's answers that is for the question, as labels and words.
func (r Rule) presetFor(item question.Item, number int) ([]string, presetMatch) {
	n := slices.IndexFunc(r.Answers, func(g PresetAnswer) bool { return g.appliesTo(item, number) })
	if n < 0 {
		return nil, presetNone
	}
	var labels []string
	for _, text := range r.Answers[n].Answer {
		label, ok := text.labelFor(item)
		if !ok {
			return nil, presetUnfit
		}
		if !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
	}
	if len(labels) == 1 || item.Multiple && len(labels) > 1 {
		return labels, presetTaken
	}
	return nil, presetUnfit
}

// labelFor finds the option that the text names: to the letter, else but for case, white space and the mark of a
// recommendation, if that names one alone. Words of one's own are taken as they are where the question takes any text, and
// so is an answer to a question without options.
func (p PresetText) labelFor(item question.Item) (string, bool) {
	if p.Own || len(item.Options) == 0 {
		return p.Text, item.TakesText() && strings.TrimSpace(p.Text) != ""
	}
	var labels []string
	for _, o := range item.Options {
		if o.Label == p.Text {
			return p.Text, true
		}
		same := foldText(o.Label) == foldText(p.Text) || foldText(question.Unmarked(o.Label)) == foldText(p.Text)
		if same && !slices.Contains(labels, o.Label) {
			labels = append(labels, o.Label)
		}
	}
	if len(labels) != 1 {
		return "", false
	}
	return labels[0], true
}

// Unfit returns the first question that the rule has an answer for which is none of its options, and that answer, in words
// for whoever wrote the file.
func (r Rule) Unfit(q question.Request) (string, bool) {
	if r.Decide != Auto || q.Form != nil {
		return "", false
	}
	for n, item := range q.Items {
		if _, match := r.presetFor(item, n+1); match == presetUnfit {
			at := slices.IndexFunc(r.Answers, func(g PresetAnswer) bool { return g.appliesTo(item, n+1) })
			return fmt.Sprintf("%s is no answer that question %d takes; %s", quotedTexts(r.Answers[at].Answer), n+1, howToOwn), true
		}
	}
	return "", false
}

const howToOwn = `it must be one of the options, or words of one's own, answer = { text = "…" }, where the question takes them`

func quotedTexts(list []PresetText) string {
	var all []string
	for _, p := range list {
		all = append(all, fmt.Sprintf("%q", p.Text))
	}
	return strings.Join(all, ", ")
}

// asksPeople reports whether people are asked what the rule has no answer for: its answer to a question that takes other
// texts too is none of the options, and the file does not say what then. Such an answer was sent as it is by earlier
// versions.
func (r Rule) asksPeople(q question.Request) bool {
	if r.Decide != Auto || r.Fallback != "" {
		return false
	}
	for n, item := range q.Items {
		if _, match := r.presetFor(item, n+1); match == presetUnfit && item.TakesText() {
			return true
		}
	}
	return false
}

// Notes are sentences about what the rules leave open, for whoever wrote them; nil if there is nothing to say.
func (s *Ruleset) Notes() []string {
	var notes []string
	for _, e := range s.rules {
		if e.NotOwner {
			notes = append(notes, fmt.Sprintf("rule %q: approver_not_owner: what has no owner (an ask of a program, or of a link that belongs to nobody) needs two people", e.Name))
		}
		if len(e.when.Link) > 0 && len(e.when.Owner) == 0 {
			notes = append(notes, fmt.Sprintf("rule %q: link without owner: a link that was made with a code of /link has the name that its machine gave; until somebody renames it, it fits this rule "+
				"as far as that restricts, and the rules behind it as well. Name the owner, or rename such links (hermes link list tells them)", e.Name))
		}
		for _, g := range e.Answers {
			plain := slices.DeleteFunc(slices.Clone(g.Answer), func(p PresetText) bool { return p.Own })
			if e.Fallback == "" && len(plain) > 0 {
				notes = append(notes, fmt.Sprintf("rule %q: where %s is none of a question's options, people are asked if the question takes other texts, else it is dismissed; "+
					`words of your own are answer = { text = "…" }, and fallback says what is done instead`, e.Name, quotedTexts(plain)))
			}
		}
	}
	return notes
}
