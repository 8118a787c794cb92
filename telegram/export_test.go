package telegram

// What the tests count with.
const (
	FileAgain = fileAgain
	LiveTries = liveTries
)
