package session

// Protocol is the family of routes that an ask is answered through. It is empty for an
// ask to hermes itself.
type Protocol string

const (
	// V1 asks are listed at GET /question and belong to ordinary sessions.
	V1 Protocol = "v1"
	// Preview asks were those of prompts that a program sent to POST /api/session/…/prompt of 1.16 to 1.18, the first form
	// of OpenCode 2's routes. Only records of older versions of hermes name it; nothing reads such asks any more.
	Preview Protocol = "v2"
	// V2 asks are those of OpenCode 2: forms, and permissions at their session. Records name
	// it forms, as v2 was taken.
	V2 Protocol = "forms"
)

// Protocols are all that an ask of OpenCode can have.
func Protocols() []Protocol { return []Protocol{V1, Preview, V2} }

// traits are the ways in which protocols differ for people. They are written without
// names, so that a protocol has to say all of them.
type traits struct {
	takesNotes   bool
	takesPrompts bool
	keepsAlways  bool
	widensAlways bool
	endsTurns    bool
	unloads      bool
}

// traits reports false for what is no protocol. A test checks that every constant is
// here.
func (p Protocol) traits() (traits, bool) {
	switch p {
	case "", V1:
		return traits{true, true, false, false, false, false}, true
	case Preview:
		return traits{false, false, true, false, false, false}, true
	case V2:
		return traits{false, true, true, true, true, true}, true
	}
	return traits{}, false
}

// TakesNotes reports whether a rejection can tell the agent something: under /api a
// note does not reach it (measured on 1.18.33, and on a preview of 2.0, where the call fails
// with an empty text; by its source the release gives the tool's own failure instead).
func (p Protocol) TakesNotes() bool {
	t, _ := p.traits()
	return t.takesNotes
}

// TakesPrompts reports whether hermes can give its sessions a prompt.
func (p Protocol) TakesPrompts() bool {
	t, _ := p.traits()
	return t.takesPrompts
}

// KeepsAlways reports whether OpenCode writes down what is always allowed (GET
// /api/permission/saved). Else it is forgotten when OpenCode ends.
func (p Protocol) KeepsAlways() bool {
	t, _ := p.traits()
	return t.keepsAlways
}

// WidensAlways reports whether what is always allowed holds for the whole project: all its
// folders, and all clones of its repository, also elsewhere on the machine (measured on a
// preview of 2.0). Else it holds for the directory.
func (p Protocol) WidensAlways() bool {
	t, _ := p.traits()
	return t.widensAlways
}

// EndsTurns reports whether a dismissal or rejection ends the agent's turn, so that the agent is
// told nothing until somebody prompts it again (measured on a preview of 2.0).
func (p Protocol) EndsTurns() bool {
	t, _ := p.traits()
	return t.endsTurns
}

// Unloads reports whether OpenCode itself rejects what waits when it unloads a directory, for a reload or its own end, and says
// so as of a person (read in the source of 2.0.26).
func (p Protocol) Unloads() bool {
	t, _ := p.traits()
	return t.unloads
}
