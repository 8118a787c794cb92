package bridge

import (
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/loop"
	"hermes/internal/outbound"
	"hermes/internal/pace"
	"hermes/internal/question"
	"hermes/internal/storage"
)

// intake receives what people do, and gives it to exactly one recipient: answers, for a card;
// admissions, for a link of an invitation; strangers; or Config.Else, for what is not about
// an ask. It holds texts that may be continued, and those that came before the card that
// they may be for was known to be shown.
type intake struct {
	loop       *loop.Loop
	records    *records
	chats      *chatMemory
	access     *access
	places     *places
	replies    *replies
	strangers  *strangers
	display    *display
	addressing *addressing
	answers    *answers
	admissions *admissions

	notAnAsk func(in inbound.Input, drives bool) bool                                // see Config.Else
	doubtful func(in inbound.Input, drives bool, t question.Thread, words bool) bool // see Config.Doubt

	refusals pace.People             // of what was forwarded
	albums   map[chat.ID]string      // the last one that was answered with a note
	partials map[writer]*partialText // texts that may be continued
	waiting  []inbound.Input         // texts that came before what they may be for was known to be shown
	waited   map[chat.UpdateID]bool  // those that wait, or did
}

func newIntake(b *Bridge, c Config) *intake {
	return &intake{
		loop: b.loop, records: b.records, chats: b.chats, access: b.access, places: b.places,
		replies: b.replies, strangers: b.strangers, display: b.display, addressing: b.addressing, answers: b.answers,
		admissions: b.admissions, notAnAsk: c.Else, doubtful: c.Doubt,
		refusals: pace.People{Burst: 1, Every: refuseEvery},
		albums:   map[chat.ID]string{}, partials: map[writer]*partialText{}, waited: map[chat.UpdateID]bool{},
	}
}

// handle gives what a person did to its recipient.
func (k *intake) handle(in inbound.Input) {
	k.replies.repeated = k.records.unsaved[in.Update]
	defer func() { k.replies.repeated = false }()
	if in.User.Lang != "" && k.access.knowsPerson(in.User.ID) && k.places.concerns(in.Chat) && k.chats.chat(in.Chat).Lang != in.User.Lang {
		k.chats.change(in.Chat, 0, func(c *chat.Chat) { c.Lang = in.User.Lang })
	}
	in.User = k.access.withName(in.User)
	if in.Forwarded {
		k.takeForwarded(in)
		return
	}
	switch in.Kind {
	case inbound.Tapped:
		k.takeTap(in)
	case inbound.Typed:
		k.takeText(in)
	case inbound.Unsigned:
		k.answers.refuseUnsigned(in)
	case inbound.Moved:
		k.display.followMove(in.Chat, in.NewChat, in.Update)
	case inbound.Blocked:
		k.display.noteBlocked(in)
	case inbound.Unblocked:
		k.display.noteUnblocked(in)
	case inbound.Attached:
		k.takeMedia(in)
	case inbound.Ignored:
		k.records.consume(in.Update)
	}
}

// takeTap acts on a button.
func (k *intake) takeTap(in inbound.Input) {
	if !k.access.knowsPerson(in.User.ID) {
		alert := outbound.Alert{Kind: outbound.AlertStranger}
		k.strangers.passOver(in, false, k.strangers.named.entryOf(storage.Entry{By: authorOf(in), Detail: string(alert.Kind)}, time.Now()))
		k.replies.alert(in, alert)
		return
	}
	if in.Button.Kind != "" && k.offerElsewhere(in) {
		return
	}
	k.answers.takeTap(in)
}

// takeForwarded ignores, and consumes, what a person did not write themselves, whatever it
// replies to or says. If it was meant for hermes, they are told so. A reply to another
// message in a group is offered to Config.Else first.
func (k *intake) takeForwarded(in inbound.Input) {
	meant := in.Private || in.ReplyTo != 0 && (k.addressing.repliesToLive(in) || k.addressing.retiredThread(in).ID != "")
	switch {
	case !k.access.knowsPerson(in.User.ID):
		k.strangers.count()
		k.records.consume(in.Update)
	case meant:
		k.records.consume(in.Update)
		if k.refusals.Take(int64(in.User.ID), time.Now()) == pace.Yes {
			k.replies.tell(in, outbound.NoteForwarded)
		}
	case in.ReplyTo != 0 && k.offerElsewhere(in):
	default:
		k.records.consume(in.Update)
	}
}
