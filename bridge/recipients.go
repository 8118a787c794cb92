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
	b.recipients.take(in, to, thread)
}

// recipients gives each input to the part that it is for, and replies to what is for nobody.
type recipients struct {
	records    *records
	chats      *chatMemory
	places     *places
	replies    *replies
	strangers  *strangers
	display    *display
	answers    *answers
	admissions *admissions
	machines   *machines
	find       func(question.ID) (*liveThread, error)

	refusals pace.People        // of what was forwarded
	albums   map[chat.ID]string // the last one that was answered with a note
}

func (r *recipients) take(in inbound.Input, to inbound.Recipient, thread question.ID) {
	switch to {
	case inbound.ForLink:
		r.admissions.openLink(in)
	case inbound.ForStranger:
		r.strangers.take(in)
	case inbound.ForCard:
		r.takeForCard(in, thread)
	case inbound.ForEnded:
		r.takeForEnded(in, thread, false)
	case inbound.ForNoDriver:
		r.takeForEnded(in, thread, true)
	case inbound.ForChat:
		r.display.followChat(in)
	case inbound.ForUnsigned:
		r.answers.refuseUnsigned(in)
	case inbound.ForNoFile:
		r.refuseFile(in)
	case inbound.ForNotOwn:
		r.refuseForwarded(in)
	case inbound.ForNobody:
		r.hintNothingAsked(in)
	case inbound.ForGreeting:
		r.replyTo(in, r.places.greetingFor(in.Chat, in.User))
	case inbound.ForMachine:
		r.machines.takeWish(in)
	case inbound.ForNoBox:
		r.replyTo(in, ui.UnknownBox())
	case inbound.ForUnclear:
		r.replyTo(in, ui.WhichAsk())
	case inbound.ForNothing:
		r.records.consume(in.Updates())
	case inbound.ForSession, inbound.ForDoubt, inbound.ForMeaning, inbound.ForVoice, inbound.ForHeard, inbound.ForLater: // not a Bridge's
	}
}

// takeForCard acts on a tap, or on a text for an ask, which may have ended since it was found.
func (r *recipients) takeForCard(in inbound.Input, thread question.ID) {
	if in.Kind == inbound.Tapped {
		r.answers.takeTap(in)
		return
	}
	if l, err := r.find(thread); err != nil {
		r.hintNothingAsked(in)
	} else {
		r.answers.takeText(l, in)
	}
}

// takeForEnded replies with the end of an ask, once to files that are shown as one. noRight: the message is no prompt, as its writer
// may not prompt sessions.
func (r *recipients) takeForEnded(in inbound.Input, thread question.ID, noRight bool) {
	if in.Kind == inbound.Attached && r.albumAnswered(in) {
		r.records.consume(in.Updates())
		return
	}
	if l, err := r.find(thread); err != nil {
		r.hintNothingAsked(in)
	} else {
		r.answers.refuseLate(in, l.Thread, noRight)
	}
}

// replyTo consumes what is for nobody, and says why.
func (r *recipients) replyTo(in inbound.Input, say ui.Line) {
	r.records.consume(in.Updates())
	r.replies.reply(in, say)
}

// refuseFile says that a file is no answer.
func (r *recipients) refuseFile(in inbound.Input) {
	said := r.albumAnswered(in)
	r.records.consume(in.Updates())
	if !said {
		r.replies.reply(in, ui.FileNoAnswer())
	}
}

// albumAnswered reports whether something was said already of a message that is shown as one
// with this one.
func (r *recipients) albumAnswered(in inbound.Input) bool {
	before := r.albums[in.Chat]
	if r.albums[in.Chat] = in.Album; in.Album == "" {
		delete(r.albums, in.Chat)
	}
	return in.Album != "" && before == in.Album
}

// refuseForwarded ignores what a person did not write themselves, and tells them so.
func (r *recipients) refuseForwarded(in inbound.Input) {
	r.records.consume(in.Updates())
	if r.refusals.Take(int64(in.User.ID), time.Now()) == pace.Yes {
		r.replies.tell(in, ui.Forwarded())
	}
}

// hintNothingAsked hints, once, that no question is open.
func (r *recipients) hintNothingAsked(in inbound.Input) {
	if !in.Private {
		r.records.consume(in.Updates())
		return
	}
	hinted := r.chats.chat(in.Chat).Hinted
	r.chats.change(in.Chat, in.Updates(), func(c *chat.Chat) { c.Hinted = true })
	if !hinted {
		r.replies.reply(in, ui.NothingAsked())
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
