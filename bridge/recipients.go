package bridge

import (
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/pace"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// Take takes what a person did, or what Telegram says of a chat, for one of the recipients
// that a Bridge has: all but inbound.ForSession, ForDoubt, ForMeaning and ForLater. thread is
// the ask that a text is for (inbound.Found); a tap names its own. When it returns the meaning
// is stored, the updates have left the inbox, and a tap is acknowledged.
func (b *Bridge) Take(in inbound.Input, to inbound.Recipient, thread question.ID) {
	switch to {
	case inbound.ForLink:
		b.openInvitation(in)
	case inbound.ForStranger:
		b.takeFromStranger(in)
	case inbound.ForCard:
		b.takeForCard(in, thread)
	case inbound.ForEnded:
		b.takeForEnded(in, thread, false)
	case inbound.ForNoDriver:
		b.takeForEnded(in, thread, true)
	case inbound.ForChat:
		b.followChat(in)
	case inbound.ForUnsigned:
		b.refuseUnsigned(in)
	case inbound.ForNoFile:
		b.refuseFile(in)
	case inbound.ForNotOwn:
		b.refuseForwarded(in)
	case inbound.ForNobody:
		b.hintNothingAsked(in)
	case inbound.ForGreeting:
		b.replyTo(in, b.greetingFor(in.Chat, in.User))
	case inbound.ForMachine:
		b.takeWish(in)
	case inbound.ForNoBox:
		b.replyTo(in, ui.UnknownBox())
	case inbound.ForUnclear:
		b.replyTo(in, ui.WhichAsk())
	case inbound.ForNothing:
		b.consume(in.Updates())
	case inbound.ForSession, inbound.ForDoubt, inbound.ForMeaning, inbound.ForVoice, inbound.ForHeard, inbound.ForLater: // not a Bridge's
	}
}

// takeForCard acts on a tap, or on a text for an ask, which may have ended since it was found.
func (b *Bridge) takeForCard(in inbound.Input, thread question.ID) {
	if in.Kind == inbound.Tapped {
		b.takeTap(in)
		return
	}
	if l, err := b.liveOrRetired(thread); err != nil {
		b.hintNothingAsked(in)
	} else {
		b.takeText(l, in)
	}
}

// takeForEnded replies with the end of an ask, once to files that are shown as one. noRight: the message is no prompt, as its writer
// may not prompt sessions.
func (b *Bridge) takeForEnded(in inbound.Input, thread question.ID, noRight bool) {
	if in.Kind == inbound.Attached && b.albumAnswered(in) {
		b.consume(in.Updates())
		return
	}
	if l, err := b.liveOrRetired(thread); err != nil {
		b.hintNothingAsked(in)
	} else {
		b.refuseLate(in, l.Thread, noRight)
	}
}

// replyTo consumes what has no effect, and says why.
func (b *Bridge) replyTo(in inbound.Input, say ui.Line) {
	b.consume(in.Updates())
	b.reply(in, say)
}

// refuseFile says that a file is no answer.
func (b *Bridge) refuseFile(in inbound.Input) {
	said := b.albumAnswered(in)
	b.consume(in.Updates())
	if !said {
		b.reply(in, ui.FileNoAnswer())
	}
}

// albumAnswered reports whether something was said already of a message that is shown as one
// with this one.
func (b *Bridge) albumAnswered(in inbound.Input) bool {
	before := b.albums[in.Chat]
	if b.albums[in.Chat] = in.Album; in.Album == "" {
		delete(b.albums, in.Chat)
	}
	return in.Album != "" && before == in.Album
}

// refuseForwarded ignores what a person did not write themselves, and tells them so.
func (b *Bridge) refuseForwarded(in inbound.Input) {
	b.consume(in.Updates())
	if b.refusals.Take(int64(in.User.ID), time.Now()) == pace.Yes {
		b.tell(in, ui.Forwarded())
	}
}

// hintNothingAsked hints, once, that no question is open.
func (b *Bridge) hintNothingAsked(in inbound.Input) {
	if !in.Private {
		b.consume(in.Updates())
		return
	}
	hinted := b.chatOf(in.Chat).Hinted
	b.changeChat(in.Chat, in.Updates(), func(c *chat.Chat) { c.Hinted = true })
	if !hinted {
		b.reply(in, ui.NothingAsked())
	}
}

// liveOrRetired finds a thread, whether it is retired or not.
func (b *Bridge) liveOrRetired(id question.ID) (*liveThread, error) {
	if l := b.threads.byID[id]; l != nil {
		return l, nil
	}
	t, ok, err := b.config.Store.Find(storage.Key{ID: id})
	if err == nil && !ok {
		err = question.ErrNoThread
	}
	return &liveThread{Thread: t}, err
}
