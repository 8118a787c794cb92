package outbound

import (
	"hermes/internal/chat"
	"hermes/telegram/ui"
)

// Message is a message beside the cards.
type Message struct {
	Chat    chat.ID
	Topic   int
	ReplyTo chat.MessageID // 0: none
	Lang    string         // of the person it is for; empty: the chat's
	Text    ui.Text

	OfCard bool // it belongs to a card, and goes with the cards; others wait behind them
	Answer bool // it only answers somebody, who can ask again: it is not sent where too much waits
}
