package inbound

import (
	"hermes/internal/chat"
	"hermes/internal/question"
)

// Found is what is known of an input by the people and the asks that hermes has, before it is
// decided whom the input is for.
type Found struct {
	User   chat.User // who did it, by the name that the rules have for them
	Known  bool      // they are on the list
	Drives bool      // they may drive sessions

	Link     bool            // it opens the link of an invitation, or one that hermes must answer for
	Standing Standing        // of a typed or attached message
	Thread   question.Thread // StandsOpen: the ask
	Either   bool            // StandsOpen: it begins like a command, and may be one as well as an answer
	Words    bool            // Either: it replies to the ask, or words were asked for
	Prompts  bool            // StandsEnded: the session that asked takes prompts
	Late     bool            // see Input.Late
}

// Standing is the closed set of how the asks stand to a message.
type Standing string

const (
	StandsApart   Standing = ""        // none is about it
	StandsOpen    Standing = "open"    // it is for one that is not retired
	StandsEnded   Standing = "ended"   // it replies to one that is retired
	StandsNoBox   Standing = "no-box"  // it replies to a reply box of none
	StandsUnclear Standing = "unclear" // its private chat shows some that wait, and it is for none of them
)

// Steering is what is known of an input by the sessions that people steer. Zero: nothing, as
// when nobody may steer sessions.
type Steering struct {
	About   bool // it is about a session, or about sessions
	Reply   bool // it replies to a message of a session
	Command bool // it begins with a command for sessions
	Home    bool // hermes is set up for its chat
	Hears   bool // what is said in it can be written down
}
