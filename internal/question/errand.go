package question

import "time"

// Errand is a prompt that hermes owes to a session: it is in the store before it is
// sent, and leaves it when the session is proven to have it, or never will.
type Errand struct {
	ID     ID
	Prompt Prompt // its ID is empty until just before the first try
	Seat   Place  // of the session, for people
	Origin Origin // where the session was last seen

	Chat    ChatID
	Topic   int
	Message PostedID // what the person wrote
	Ack     PostedID // hermes' reply to it; 0: none yet
	By      Actor
	Lang    string
	At      time.Time // when hermes took it
	Tries   Attempts
	Answers ID // the question that the prompt is a late answer to; empty: to none
}

// Watch is a session at work whose end somebody is to be told.
type Watch struct {
	Session SessionID
	Origin  Origin // where it works
	Since   time.Time
	For     []Listener // those whose prompts it works on; others hear by their Level
}

// Listener is who waits for the end of a turn.
type Listener struct {
	Chat    ChatID
	Topic   int
	Message PostedID // their prompt
	Prompt  MessageID
	Lang    string
}

// Seat is what a chat has settled on.
type Seat struct {
	Chat    ChatID
	Topic   int       // where it was settled
	Session SessionID // that plain text goes to; empty: none
	Origin  Origin    // of the session
	Title   string    // of the session
	Agent   string    // that it is prompted with; empty: its last
	Model   Model     // the same
	Level   Level
	Follow  bool      // the session in use is followed in a live message
	Live    PostedID  // the live message that is not finished; 0: none
	Muted   time.Time // until then nobody is told of turns that no prompt from there began
	Making  Making    // the last session that was made from there
}

// Making is a session that a chat wants made. It is kept before OpenCode is asked, so that
// a session is made once, and outlives its end, so that the chat is told of it.
type Making struct {
	Update  UpdateID  // in which the wish came
	Origin  Origin    // where
	At      time.Time // tells the session from all others; whole milliseconds
	Session SessionID // that was made; empty: that is not known
}

// Level says how much a chat hears beside the asks. The zero value is LevelQuestions.
type Level string

const (
	LevelQuestions Level = ""      // nothing
	LevelTurns     Level = "turns" // when a session has finished
	LevelAll       Level = "all"   // and when one begins to work
)

// Told is the last turn of a session whose end was told to all who were to hear of it.
type Told struct {
	Session SessionID
	Turn    MessageID
	At      time.Time
}

// Said is a message in a chat that belongs to a session: a reply to it is for that
// session.
type Said struct {
	Chat    ChatID
	Message PostedID
	Session SessionID
	Origin  Origin
	Title   string
	At      time.Time
	Answers ID     // the question that a late answer is asked for; empty: a reply is a prompt as it is
	Wizard  Wizard // how far the conversation about that is
}
