package question

import (
	"time"

	"hermes/internal/chat"
)

// Admission is about somebody who waits to be let in, or was removed. Hermes asks it
// itself: it has neither Items nor a Permission, no rule looks at it, and no program
// answers it. It is decided with [LetIn], or by a rejection; of one that was removed
// nothing is left to decide.
type Admission struct {
	User  chat.User // as Telegram named them when they opened the link
	Name  string    // that the invitation gives them; empty: as Telegram names them
	Roles []string  // that it gives them; letting in takes all of these
	Chat  chat.ID   // where the link was opened, or the group that was removed
	Title string    // of the group
	Made  time.Time // the invitation

	Group   bool // the group is to get questions, or did; and the person is to answer, unless they may already
	Waits   bool // Chat shows that they wait, and decides nothing
	Removed bool
}

// LetIn is the answer to an Admission.
const LetIn = "let in"
