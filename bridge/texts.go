package bridge

import (
	"hermes/internal/question"
)

// takeText acts on a text message: an answer to the question it replies to, or, in a
// private chat, to the only one it can mean.
func (k *intake) takeText(in question.Input) {
	if k.admissions.openLink(in) {
		return
	}
	if !k.access.knowsPerson(in.User.ID) {
		k.strangers.passOver(in, in.Private && in.Command == "start", nil)
		return
	}
	if k.joinPartial(in) {
		return
	}
	if l := k.threadMeant(in); l != nil {
		if !k.offerDoubtful(l, in) {
			k.gather(l, in)
		}
		return
	}
	if in.Command == "start" && in.Private {
		k.records.consume(in.Update)
		k.replies.reply(in, k.places.greetingFor(in.Chat))
		return
	}
	past := k.answers.retiredThread(in)
	if past.ID == "" && in.Command == "" && k.answers.isUnreadable(in) {
		k.answers.refuseUnreadable(in)
		return
	}
	if past.ID == "" && in.Command == "" && k.waitForCard(in) {
		return
	}
	switch {
	case in.Command != "" && !in.Sure && k.offerElsewhere(in):
	case past.ID != "":
		k.answers.refuseLate(in, past, in.Update)
	case in.ToBox:
		k.records.consume(in.Update)
		k.replies.reply(in, question.NoteNoBox)
	case in.ReplyTo != 0 && k.offerElsewhere(in):
	case in.Private && k.threads.waitIn(in.Chat):
		k.records.consume(in.Update)
		k.replies.reply(in, question.NoteWhich)
	case !in.Sure && k.offerElsewhere(in):
	default: // also an answer that looks like a command, to what has ended
		k.hintNothingAsked(in)
	}
}

// threadMeant finds the thread that a text is for: the one it replies to, or the only one
// that could be seen when it was written. It is nil if that leaves none, or several.
func (k *intake) threadMeant(in question.Input) *liveThread {
	if in.ReplyTo != 0 {
		l := k.threads.withMessage(in.Chat, in.ReplyTo)
		if l == nil && in.ToBox {
			l = k.boxes.threadOf(in)
		}
		return l
	}
	if !in.Private || in.Command == "start" {
		return nil
	}
	var open, typing []*liveThread
	for _, l := range k.threads.byID {
		if l.Open() && l.Request.Admission == nil && l.shownBefore(in) && l.fitsTopic(in) { // a text lets nobody in
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

// fitsTopic reports whether a text in a private chat can be for the thread: one in the
// topic of a session is for that session.
func (l *liveThread) fitsTopic(in question.Input) bool {
	room := l.Cards[l.Card(in.Chat)].Room
	return room == 0 || in.Topic == 0 || in.Topic == room
}

func (l *liveThread) shownIn(chat question.ChatID) bool {
	card := l.Card(chat)
	return card >= 0 && len(l.Cards[card].Messages) > 0
}

// shownBefore reports whether the chat showed the thread when the text was sent. A
// text may reach hermes long after that.
func (l *liveThread) shownBefore(in question.Input) bool {
	return l.shownIn(in.Chat) && !in.Sent.Before(l.Cards[l.Card(in.Chat)].ShownAt)
}

// hintNothingAsked hints, once, that no question is open.
func (k *intake) hintNothingAsked(in question.Input) {
	if !in.Private {
		k.records.consume(in.Update)
		return
	}
	hinted := k.chats.chat(in.Chat).Hinted
	k.chats.change(in.Chat, in.Update, func(c *question.Chat) { c.Hinted = true })
	if !hinted {
		k.replies.reply(in, question.NoteNothing)
	}
}
