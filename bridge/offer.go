package bridge

import (
	"slices"

	"hermes/internal/question"
)

// offerElsewhere gives away what means no ask, and reports whether it was taken.
func (k *intake) offerElsewhere(in question.Input) bool {
	return k.notAnAsk != nil && !k.replies.repeated && k.notAnAsk(in, k.access.rules.Drives(in.User.ID))
}

// offerDoubtful gives away a text that means a thread and may be meant otherwise, and reports
// whether it was taken. What is an option, to the letter, is none, nor is a reply that
// the thread refuses.
func (k *intake) offerDoubtful(l *liveThread, in question.Input) bool {
	if k.doubtful == nil || in.Command == "" || in.Sure || k.replies.repeated || !l.Open() {
		return false
	}
	w, err := l.Wizard.Apply(l.Request, question.Move{Action: question.Say, Text: in.Text})
	own := slices.ContainsFunc(w.Choices, func(c question.Choice) bool { return slices.Contains(c.Texts, in.Text) })
	if err == nil && !own || err != nil && in.ReplyTo != 0 {
		return false
	}
	words := in.ReplyTo != 0 || l.wantsWords()
	return k.doubtful(in, k.access.rules.Drives(in.User.ID), l.Clone(), words)
}

// wantsWords reports whether the step on screen asks for words.
func (l *liveThread) wantsWords() bool {
	return l.Wizard.Typing || l.OnlyWords()
}
