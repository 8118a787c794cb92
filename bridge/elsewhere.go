package bridge

import (
	"slices"

	"hermes/question"
)

// elsewhere gives away what means no ask, and reports whether it was taken.
func (b *Bridge) elsewhere(in question.Input) bool {
	return b.config.Else != nil && !b.repeated && b.config.Else(in, b.rules.Drives(in.User.ID))
}

// doubtful gives away a text that would be an answer in the person's own words and may
// be meant otherwise, and reports whether it was taken. What is an option, to the
// letter, is none, nor is what the thread would refuse.
func (b *Bridge) doubtful(l *live, in question.Input) bool {
	if b.config.Doubt == nil || in.Command == "" || in.Sure || b.repeated || !l.Open() {
		return false
	}
	w, err := l.Wizard.Apply(l.Request, question.Move{Action: question.Say, Text: in.Text})
	own := func(c question.Choice) bool { return slices.Contains(c.Texts, in.Text) }
	if err != nil || !slices.ContainsFunc(w.Choices, own) {
		return false
	}
	return b.config.Doubt(in, b.rules.Drives(in.User.ID), l.Clone())
}
