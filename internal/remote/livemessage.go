package remote

import "hermes/internal/chat"

// LiveMessage is one message in a chat that follows what a session does.
type LiveMessage struct {
	Chat    chat.ID
	Topic   int
	Message chat.MessageID // to continue with; 0: a new one
	Now     func() Message // what to show; asked just before it is sent or edited
	// Shown is called after every attempt, from another goroutine: the message, 0 if there
	// is none, and why the attempt failed. One that may pass is followed by another.
	Shown func(chat.MessageID, error)
}

// LiveState is how the session stands that a live message follows.
type LiveState string

const (
	LiveWorks  LiveState = ""
	LiveWaits  LiveState = "waits"  // for a person
	LiveRests  LiveState = "rests"  // it may continue at once
	LiveAway   LiveState = "away"   // its OpenCode cannot be reached now
	LiveEnded  LiveState = "ended"  // it rests; Turn says how its turn ended
	LiveClosed LiveState = "closed" // its OpenCode is gone, and the turn with it
	LiveGone   LiveState = "gone"   // there is no such session any more
	LiveLeft   LiveState = "left"   // the message follows it no more
)
