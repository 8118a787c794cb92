package bridge

import (
	"hermes/internal/chat"
	"hermes/internal/inbound"
)

// waitForCard holds a text that came while a card was being sent to its chat, and reports
// whether it did: the text may be for that card, whose message hermes does not know
// yet. It is looked at again, once, when the sending has an end; until then it is in
// the inbox.
func (k *intake) waitForCard(in inbound.Input) bool {
	if k.waited[in.Update] || !k.addressing.sendingTo(in.Chat) {
		delete(k.waited, in.Update)
		return false
	}
	k.waited[in.Update] = true
	k.waiting = append(k.waiting, in)
	return true
}

// cardSent looks again at the texts that waited for what is shown in the chat.
func (k *intake) cardSent(chat chat.ID) {
	waiting := k.waiting
	k.waiting = nil
	for _, in := range waiting {
		if in.Chat == chat {
			k.handle(in)
		} else {
			k.waiting = append(k.waiting, in)
		}
	}
}
