package policy

import (
	"fmt"
	"slices"
	"strings"

	"hermes/internal/question"
)

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
