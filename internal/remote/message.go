package remote

import (
	"time"

	"hermes/internal/session"
)

// Machine is a person's machine: their link, and what is linked with it now.
type Machine struct {
	Link    string // the link's id
	Name    string
	Host    string    // as it calls itself; empty: not known
	Seen    time.Time // zero: never
	Linked  []Linked
	Waiting int // asks that nobody has answered
}

// Linked is an OpenCode that is linked, as it says itself.
type Linked struct {
	OpenCode string // version; empty: not known
	By       string // version of the plugin, or of hermes link run; empty: not known
	Process  bool   // By is of hermes link run
	Protocol int    // of the link
	Refused  bool   // it is not linked, as it speaks another protocol
}

// NoName is the name, of an agent or a model that was offered once and is not there any more.
const NoName = "\x00"

// ListedSession is a session in a list.
type ListedSession struct {
	session.Session
	Waits  bool   // for a person
	Chosen bool   // the chat uses it
	Long   bool   // its directory's last part does not tell it from another one of that title
	End    string // of its id, where project and title do not tell it from another one; else empty
	Words  string // with End: its last words, as far as they are known
}

// Reason is the closed set of reasons that a person can do something about.
type Reason string

const (
	ReasonAgent     Reason = "agent"      // OpenCode has no such agent
	ReasonModel     Reason = "model"      // nor such a model
	ReasonCommand   Reason = "command"    // nor such a command
	ReasonSigns     Reason = "signs"      // a command's text that Expands
	ReasonNoText    Reason = "no-text"    // a command that is given no text from afar
	ReasonFile      Reason = "file"       // a file that would break the session
	ReasonTooLarge  Reason = "too-large"  // files
	ReasonNotDriven Reason = "not-driven" // the plugin does not allow it
)

// PromptStatus is the closed set of ways how a prompt stands. The words are persisted.
type PromptStatus string

const (
	PromptTaken    PromptStatus = "taken"     // the session is proven to have it, and works
	PromptNoted    PromptStatus = "noted"     // the same, of a prompt that starts no turn
	PromptQueued   PromptStatus = "queued"    // the same, but the agent was busy: it comes next
	PromptBehind   PromptStatus = "behind"    // the same, but the agent waits for people first
	PromptKept     PromptStatus = "kept"      // OpenCode cannot be reached: it is kept
	PromptFetching PromptStatus = "fetching"  // Telegram does not give a file out now: it is kept
	PromptDeleted  PromptStatus = "deleted"   // not sent: the session is gone
	PromptRefused  PromptStatus = "refused"   // not sent: OpenCode does not take it
	PromptNotYours PromptStatus = "not-yours" // not sent: the session is on somebody else's machine by now
	PromptGivenUp  PromptStatus = "given-up"  // not sent: no try has succeeded for too long
	PromptBefore   PromptStatus = "before"    // not sent: it is from a restored backup, and may have been sent before
	PromptTooLarge PromptStatus = "too-large" // not sent: its files are larger than MaxFiles together
	PromptFileGone PromptStatus = "file-gone" // not sent: Telegram does not give a file out
	PromptSilent   PromptStatus = "silent"    // not sent: nothing is said in a voice message
	PromptUnheard  PromptStatus = "unheard"   // not sent: what is said in one could not be written down
	PromptDeaf     PromptStatus = "deaf"      // not sent: there is nothing that writes it down
)
