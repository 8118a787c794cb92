package bridge

import (
	"errors"

	"hermes/internal/question"
)

// typed acts on a text message: an answer to the question it replies to, or, in a
// private chat, to the only one it can mean.
func (b *Bridge) typed(in question.Input) {
	if b.invited(in) {
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
	past := b.past(in)
	if past.ID == "" && in.Command == "" && b.setAside(in) {
		b.tellSetAside(in)
		return
	}
	if past.ID == "" && in.Command == "" && b.early(in) {
		return
	}
	switch {
	case in.Command != "" && !in.Sure && b.elsewhere(in):
	case past.ID != "":
		b.tooLate(in, past, in.Update)
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

func (b *Bridge) say(l *live, in question.Input, used []question.UpdateID) {
	if !l.Open() {
		b.tooLate(in, l.Thread, used...)
		return
	}
	if alert := b.access.whyBarred(l, in.User.ID); alert.Kind != question.AlertNone {
		b.barred(l, in, used, alert)
		return
	}
	if b.movedOn(l, in, used) {
		return
	}
	w, err := l.Wizard.Apply(l.Request, question.Move{Action: question.Say, Text: in.Text})
	var notice *question.Notice
	if err != nil && !errors.As(err, &notice) {
		b.tooLate(in, l.Thread, used...)
		return
	}
	b.move(l, in, used, w, func(err error) {
		switch {
		case err != nil:
			b.replies.tell(in, question.NoteNotSaved)
		case notice != nil:
			b.askAgain(l, in, *notice)
		}
	})
}

// askAgain replies to a text that was not taken with the reason.
func (b *Bridge) askAgain(l *live, in question.Input, n question.Notice) {
	card := l.Card(in.Chat)
	if card < 0 || !b.replies.mayReply(in) {
		return
	}
	b.display.sendNote(l, card, question.Note{
		Kind: question.NoteAskAgain, ReplyTo: in.Message, Lang: in.User.Lang, Notice: n,
	})
}

// tooLate replies to a text that came after the end, with the end.
func (b *Bridge) tooLate(in question.Input, t question.Thread, used ...question.UpdateID) {
	by := author(in)
	b.records.consumeWith(question.Change{Consumed: used, Entries: stamp(t, []question.Entry{
		{Kind: question.EntryRefused, By: by, Detail: string(question.AlertEnded)},
	})})
	if !b.replies.mayReply(in) {
		return
	}
	b.replies.send(question.Note{
		Kind: question.NoteEnded, Chat: in.Chat, Topic: in.Topic, ReplyTo: in.Message,
		Lang: in.User.Lang, View: t.View(),
	})
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
