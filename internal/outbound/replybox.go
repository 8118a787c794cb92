package outbound

import (
	"hermes/internal/chat"
	"hermes/internal/question"
)

// BoxPost is what a chat is to do about a reply box: send it, or remove it where Message says which it is.
type BoxPost struct {
	Chat    chat.ID
	Topic   int
	Message chat.MessageID
	ReplyTo chat.MessageID // the card, to which it belongs; 0: it is not shown now
	User    chat.User      // whose reply box it opens
	View    question.View
	Source  string // as in Post

	Reminder bool // Message is that of a reminder: where it cannot be deleted any more, it is changed
}
