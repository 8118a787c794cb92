package remote

// LiveState is how the session stands that a live message follows.
type LiveState string

const (
	LiveWorks LiveState = ""
	LiveWaits LiveState = "waits" // for a person
	LiveRests LiveState = "rests" // it may continue at once
	LiveAway  LiveState = "away"  // its OpenCode cannot be reached now
)
