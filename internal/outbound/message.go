package outbound

import (
	"hermes/internal/chat"
	"hermes/telegram/ui"
)

// Message is a message beside the cards.
type Message struct {
	Chat    chat.ID
	Topic   int
	ReplyTo chat.MessageID   // 0: none
	Edit    chat.MessageID   // the message that it takes the place of; 0: none
	Remove  bool             // with Edit: take the message away, where that can be done
	Shown   []chat.MessageID // its first messages, which an attempt before this one has sent
	Unfiled bool             // Shown has no file, though the message would begin with one: the chat took none
	Lang    string           // of the person it is for; empty: the chat's
	Text    ui.Text

	Silent   bool
	OfCard   bool // it belongs to a card, and goes with the cards; others wait behind them
	Answer   bool // it only answers somebody, who can ask again: it is not sent where too much waits
	Anywhere bool // it tells nothing of sessions, and may be said where they are not driven
}

// MessageShown says what became of a message.
type MessageShown struct {
	Messages []chat.MessageID // all that the chat shows of it
	Unfiled  bool             // of Messages, as in Message
	Err      error            // why it is not shown whole; nil on success
}
