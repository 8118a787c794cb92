package outbound

import (
	"hermes/internal/chat"
	"hermes/telegram/ui"
)

// LiveMessage is one message in a chat that follows what a session does.
type LiveMessage struct {
	Chat    chat.ID
	Topic   int
	Message chat.MessageID // to continue with; 0: a new one
	// Now is what to show, or whether to take the message away, where that can be done. It is asked just before it is sent or edited.
	Now func() (text ui.Text, remove bool)
	// Shown is called after every attempt, from another goroutine: the message, 0 if there
	// is none, and why the attempt failed. One that may pass is followed by another.
	Shown func(chat.MessageID, error)
}
