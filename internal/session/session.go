package session

import (
	"errors"
	"strings"
	"time"

	"hermes/internal/chat"
)

// Why a session cannot be driven as was wanted. None of them passes by itself.
var (
	// ErrNoSession: there is no such session (any more).
	ErrNoSession = errors.New("there is no such session")
	// ErrNoAgent, ErrNoModel, ErrNoCommand: OpenCode does not have what was named.
	ErrNoAgent   = errors.New("there is no such agent")
	ErrNoModel   = errors.New("there is no such model")
	ErrNoCommand = errors.New("there is no such command")
	// ErrSigns: OpenCode would run or read something in a command's text, see Expands.
	ErrSigns = errors.New("OpenCode would run or read something in the text of the command")
	// ErrNoText: it would run any text of that command, or read the file that it names.
	ErrNoText = errors.New("OpenCode would run the text of that command, or read the file that it names")
	// ErrFile: a file of this kind would break the session for good.
	ErrFile = errors.New("files of this kind cannot be part of a prompt")
	// ErrTooLarge: the files of one prompt are larger than MaxFiles together.
	ErrTooLarge = errors.New("the files are too large for a prompt")
	// ErrLateID: the session has gone on since the prompt got its id, so that the
	// prompt might be kept and never read. It needs a new id.
	ErrLateID = errors.New("the session has gone on since the prompt got its id")
	// ErrNotDriven: that OpenCode does not let hermes drive it, as its plugin is old or
	// driving is switched off.
	ErrNotDriven = errors.New("that OpenCode does not let hermes drive it")
)

// MaxFiles is the most bytes of the files of one prompt.
const MaxFiles = 8 << 20

// Session is a session of OpenCode, as it was when it was asked for.
type Session struct {
	ID        ID
	Parent    ID     // empty: it is a root session
	Title     string // empty while it has none of its own
	Directory string // as OpenCode spells it
	Project   string // of OpenCode 2: its id; empty: not known
	Updated   time.Time
	Busy      bool // the agent works, or waits for a person
}

// Prompt is what a person says to a session. Its id is hermes' own, so that one sent
// twice can be told from two.
type Prompt struct {
	ID      MessageID `json:"id,omitzero"` // msg_…, of OpenCode's form
	Session ID        `json:"session,omitzero"`
	Command string    `json:"command,omitzero"` // a command of OpenCode's own, without /; the text of Parts is its arguments
	Parts   []Part    `json:"parts,omitzero"`
	Agent   string    `json:"agent,omitzero"` // empty: the session's last
	Model             // zero: the session's last
	NoReply bool      `json:"no_reply,omitzero"` // it is kept for the next turn, and starts none
}

// Expands reports whether a command's text has a sign that OpenCode may take for more
// than text. It runs !`…` in a shell and reads @files, and asks for no permission: what
// stands there is the text together with the command's template, so that an ! at its end
// counts too. $ stands for other text (measured on 1.1.53 and 1.18.33).
func Expands(text string) bool { return strings.ContainsAny(text, "`!@$") }

// Model names a model as OpenCode does.
type Model struct {
	Provider string `json:"provider,omitzero"`
	ID       string `json:"model,omitzero"`
}

// Part is a part of a prompt: a text, a file, or the mention of an agent. Just one of
// Text, Data, File and Agent is set.
type Part struct {
	Text  string      `json:"text,omitzero"`
	Name  string      `json:"name,omitzero"`  // of a file
	Mime  string      `json:"mime,omitzero"`  // of a file
	Data  []byte      `json:"data,omitzero"`  // of a file, whole
	File  chat.FileID `json:"file,omitzero"`  // of a file that a person sent, and that is fetched just before it is sent on
	Agent string      `json:"agent,omitzero"` // the name of an agent, without @

	Spoken bool `json:"spoken,omitzero"` // the File must be written down first; or the Text was, and must yet be shown
}

// Turn is the last thing that a session did.
type Turn struct {
	Session Session
	Message MessageID     // the agent's last message; empty: there is none
	Began   time.Time     // when the person's prompt was written
	Ended   time.Time     // zero: it continues
	Waited  time.Duration // of that, for people; as far as it is known
	Text    string        // the agent's last words, whole
	Error   string        // why it ended early; empty: it did not
	Aborted bool          // it was stopped

	// Unfinished: the agent's last message has no end, though the session rests for the
	// OpenCode that was asked. It was stopped a moment ago, and Aborted says so as well;
	// or it was killed in the midst of it; or it continues in another OpenCode.
	Unfinished bool

	Files   int // changed in the turn
	Added   int // lines; with Removed 0: not known
	Removed int // lines
	Todos   []Todo
	Cost    float64 // US dollars; 0: not known
	Tokens  int     // of all steps; 0: not known
	Agent   string
	Model   Model
}

// Worked is how long the turn ran, without the time in which it waited for people. A turn without a beginning or an end takes what is
// missing from what is given.
func (t Turn) Worked(began, ended time.Time) time.Duration {
	if !t.Began.IsZero() {
		began = t.Began
	}
	if !t.Ended.IsZero() {
		ended = t.Ended
	}
	if began.IsZero() || ended.IsZero() {
		return 0
	}
	return max(0, ended.Sub(began)-t.Waited)
}

// Todo is one item of a session's list.
type Todo struct {
	Text  string
	State string // OpenCode's word: pending, in_progress, completed, cancelled
}
