package bridge

import "hermes/internal/question"

// early keeps a text that came while a card was being sent to its chat, and reports
// whether it did: the text may be for that card, whose message hermes does not know
// yet. It is looked at again, once, when the sending has an end; until then it is in
// the inbox.
func (b *Bridge) early(in question.Input) bool {
	if b.waited[in.Update] || !b.threads.sendingTo(in.Chat) {
		delete(b.waited, in.Update)
		return false
	}
	b.waited[in.Update] = true
	b.waiting = append(b.waiting, in)
	return true
}

// sentTo looks again at the texts that waited for what is shown in the chat.
func (b *Bridge) sentTo(chat question.ChatID) {
	waiting := b.waiting
	b.waiting = nil
	for _, in := range waiting {
		if in.Chat == chat {
			b.handle(in)
		} else {
			b.waiting = append(b.waiting, in)
		}
	}
}
