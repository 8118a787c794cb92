package bridge

import (
	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
)

// takeText acts on a text message: an answer to the question it replies to, or, in a
// private chat, to the only one it can mean.
func (k *intake) takeText(in inbound.Input) {
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
	if l := k.addressing.threadFor(in); l != nil {
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
	past := k.addressing.retiredThread(in)
	if past.ID == "" && in.Command == "" && k.addressing.isUnreadable(in) {
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
		k.replies.reply(in, outbound.NoteNoBox)
	case in.ReplyTo != 0 && k.offerElsewhere(in):
	case in.Private && k.addressing.asksIn(in.Chat):
		k.records.consume(in.Update)
		k.replies.reply(in, outbound.NoteWhich)
	case !in.Sure && k.offerElsewhere(in):
	default: // also an answer that looks like a command, to what has ended
		k.hintNothingAsked(in)
	}
}

// hintNothingAsked hints, once, that no question is open.
func (k *intake) hintNothingAsked(in inbound.Input) {
	if !in.Private {
		k.records.consume(in.Update)
		return
	}
	hinted := k.chats.chat(in.Chat).Hinted
	k.chats.change(in.Chat, in.Update, func(c *chat.Chat) { c.Hinted = true })
	if !hinted {
		k.replies.reply(in, outbound.NoteNothing)
	}
}
