package telegram

import "hermes/telegram/outbox"

// Queued is how much waits to be sent, in all chats together.
type Queued struct {
	Cards   int // what is asked, and what changes there
	Notes   int // other messages
	Live    int // live messages
	Chats   int // chats in which something waits
	Longest int // how much waits in the chat where most does
}

// Queued counts what waits to be sent. It names no chat.
func (b *Bot) Queued() Queued {
	w := b.out.Waiting()
	return Queued{Cards: w.Jobs[outbox.Cards], Notes: w.Jobs[outbox.Notes], Live: w.Jobs[outbox.Live], Chats: w.Chats, Longest: w.Longest}
}
