package telegram

import (
	"time"

	"hermes/telegram/outbox"
)

// Held is what one of Telegram's limits does to cards.
type Held struct {
	Waiting int           // cards that it holds up now
	For     time.Duration // how long chats with cards were held up by it since the start
}

// HeldReasons are the words for the limits: chat (a message a second), group (twenty a minute), all (thirty a second in all chats) and
// flood (Telegram said for how long to write nothing).
func HeldReasons() (words []string) {
	for _, r := range outbox.Reasons() {
		words = append(words, string(r))
	}
	return words
}

// Held tells what the limit of this word holds up.
func (b *Bot) Held(reason string) Held { return Held(b.out.Held()[outbox.Reason(reason)]) }
