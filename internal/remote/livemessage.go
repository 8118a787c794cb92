package remote

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
