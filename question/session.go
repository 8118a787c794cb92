package question

import "time"

// Session is a session of OpenCode, as it was when it was asked for.
type Session struct {
	ID        SessionID
	Parent    SessionID // empty: it is a root session
	Title     string    // empty while it has none of its own
	Directory string    // as OpenCode spells it
	Updated   time.Time
	Busy      bool // the agent works, or waits for a person
}

// Prompt is what a person says to a session. Its id is hermes' own, so that one sent
// twice can be told from two.
type Prompt struct {
	ID      MessageID // msg_…, of OpenCode's form
	Session SessionID
	Parts   []Part
	Agent   string // empty: the session's last
	Model   Model  // zero: the session's last
	NoReply bool   // it is kept for the next turn, and starts none
}

// Model names a model as OpenCode does.
type Model struct {
	Provider string
	ID       string
}

// Part is a part of a prompt: a text, a file, or the mention of an agent. Just one of
// Text, Data and Agent is set.
type Part struct {
	Text  string
	Name  string // of a file
	Mime  string // of a file
	Data  []byte // of a file, whole
	Agent string // the name of an agent, without @
}

// Turn is the last thing that a session did.
type Turn struct {
	Session Session
	Message MessageID // the agent's last message; empty: there is none
	Began   time.Time // when the person's prompt was written
	Ended   time.Time // zero: it goes on
	Text    string    // the agent's last words, whole
	Error   string    // why it ended early; empty: it did not
	Aborted bool      // it was stopped
	Files   int       // changed in the turn
	Added   int       // lines
	Removed int       // lines
	Todos   []Todo
	Cost    float64 // US dollars; 0: not known
	Tokens  int     // of all steps; 0: not known
	Agent   string
	Model   Model
}

// Todo is one item of a session's list.
type Todo struct {
	Text  string
	State string // OpenCode's word: pending, in_progress, completed, cancelled
}
