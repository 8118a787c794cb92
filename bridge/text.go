package bridge

import (
	"hermes/internal/question"
)

// typed acts on a text message: an answer to the question it replies to, or, in a
// private chat, to the only one it can mean.
func (b *Bridge) typed(in question.Input) {
	if b.admissions.openLink(in) {
		return
	}
	if !b.access.knowsPerson(in.User.ID) {
		b.strangers.passOver(in, in.Private && in.Command == "start", nil)
		return
	}
	if b.goesOn(in) {
		return
	}
	if l := b.meant(in); l != nil {
		if !b.doubtful(l, in) {
			b.gather(l, in)
		}
		return
	}
	if in.Command == "start" && in.Private {
		b.records.consume(in.Update)
		b.replies.reply(in, b.places.greetingFor(in.Chat))
		return
	}
	past := b.answers.retiredThread(in)
	if past.ID == "" && in.Command == "" && b.answers.isUnreadable(in) {
		b.answers.refuseUnreadable(in)
		return
	}
	if past.ID == "" && in.Command == "" && b.early(in) {
		return
	}
	switch {
	case in.Command != "" && !in.Sure && b.elsewhere(in):
	case past.ID != "":
		b.answers.refuseLate(in, past, in.Update)
	case in.ToBox:
		b.records.consume(in.Update)
		b.replies.reply(in, question.NoteNoBox)
	case in.ReplyTo != 0 && b.elsewhere(in):
	case in.Private && b.threads.waitIn(in.Chat):
		b.records.consume(in.Update)
		b.replies.reply(in, question.NoteWhich)
	case !in.Sure && b.elsewhere(in):
	default: // also an answer that looks like a command, to what has ended
		b.nothingAsked(in)
	}
}

// meant finds the thread that a text is for: the one it replies to, or the only one
// that could be seen when it was written. It is nil if that leaves none, or several.
func (b *Bridge) meant(in question.Input) *live {
	if in.ReplyTo != 0 {
		l := b.threads.withMessage(in.Chat, in.ReplyTo)
		if l == nil && in.ToBox {
			l = b.boxes.threadOf(in)
		}
		return l
	}
	if !in.Private || in.Command == "start" {
		return nil
	}
	var open, typing []*live
	for _, l := range b.threads.byID {
		if l.Open() && l.Request.Admission == nil && l.shownBefore(in) && l.near(in) { // a text lets nobody in
			open = append(open, l)
			if l.Wizard.Typing {
				typing = append(typing, l)
			}
		}
	}
	switch {
	case len(typing) == 1:
		return typing[0]
	case len(open) == 1:
		return open[0]
	}
	return nil
}

// near reports whether a text in a private chat can be for the thread: one in the
// topic of a session is for that session.
func (l *live) near(in question.Input) bool {
	room := l.Cards[l.Card(in.Chat)].Room
	return room == 0 || in.Topic == 0 || in.Topic == room
}

func (l *live) shownIn(chat question.ChatID) bool {
	card := l.Card(chat)
	return card >= 0 && len(l.Cards[card].Messages) > 0
}

// shownBefore reports whether the chat showed the thread when the text was sent. A
// text may reach hermes long after that.
func (l *live) shownBefore(in question.Input) bool {
	return l.shownIn(in.Chat) && !in.Sent.Before(l.Cards[l.Card(in.Chat)].ShownAt)
}

// nothingAsked hints, once, that no question is open.
func (b *Bridge) nothingAsked(in question.Input) {
	if !in.Private {
		b.records.consume(in.Update)
		return
	}
	hinted := b.chats.chat(in.Chat).Hinted
	b.chats.change(in.Chat, in.Update, func(c *question.Chat) { c.Hinted = true })
	if !hinted {
		b.replies.reply(in, question.NoteNothing)
	}
}
