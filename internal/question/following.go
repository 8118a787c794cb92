package question

// Following is one message in a chat that follows what goes on.
type Following struct {
	Chat    ChatID
	Topic   int
	Message PostedID       // that goes on with it; 0: a new one
	Now     func() Telling // what it is to show; asked just before it is sent or edited
	// Shown is told of every attempt, from another goroutine: the message, 0 if there is
	// none, and why the attempt failed. One that may pass is followed by another.
	Shown func(PostedID, error)
}

// Live is how the session stands that a live message follows.
type Live string

const (
	LiveWorks  Live = ""
	LiveWaits  Live = "waits"  // for a person
	LiveRests  Live = "rests"  // it may go on at once
	LiveAway   Live = "away"   // its OpenCode cannot be reached now
	LiveEnded  Live = "ended"  // it rests; Turn says how its turn ended
	LiveClosed Live = "closed" // its OpenCode is gone, and the turn with it
	LiveGone   Live = "gone"   // there is no such session any more
	LiveLeft   Live = "left"   // the message follows it no more
)
