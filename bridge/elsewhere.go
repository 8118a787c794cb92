package bridge

import (
	"slices"

	"hermes/internal/question"
)

// elsewhere gives away what means no ask, and reports whether it was taken.
func (b *Bridge) elsewhere(in question.Input) bool {
	return b.config.Else != nil && !b.replies.repeated && b.config.Else(in, b.access.rules.Drives(in.User.ID))
}

// doubtful gives away a text that means a thread and may be meant otherwise, and reports
// whether it was taken. What is an option, to the letter, is none, nor is a reply that
// the thread refuses.
func (b *Bridge) doubtful(l *live, in question.Input) bool {
	if b.config.Doubt == nil || in.Command == "" || in.Sure || b.replies.repeated || !l.Open() {
		return false
	}
	w, err := l.Wizard.Apply(l.Request, question.Move{Action: question.Say, Text: in.Text})
	own := slices.ContainsFunc(w.Choices, func(c question.Choice) bool { return slices.Contains(c.Texts, in.Text) })
	if err == nil && !own || err != nil && in.ReplyTo != 0 {
		return false
	}
	words := in.ReplyTo != 0 || l.wantsWords()
	return b.config.Doubt(in, b.access.rules.Drives(in.User.ID), l.Clone(), words)
}

// wantsWords reports whether the step on screen asks for words.
func (l *live) wantsWords() bool {
	return l.Wizard.Typing || l.OnlyWords()
}
