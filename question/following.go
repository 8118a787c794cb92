package question

// Following is one message in a chat that follows what goes on.
type Following struct {
	Chat  ChatID
	Topic int
	Now   func() Telling // what it is to show; asked just before it is sent or edited
	// Shown is told of every attempt, from another goroutine: the message, 0 if there is
	// none, and why the attempt failed.
	Shown func(PostedID, error)
}
