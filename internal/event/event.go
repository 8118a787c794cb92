package event

import (
	"time"

	"hermes/internal/question"
	"hermes/internal/session"
)

// Event is something that OpenCode said, as either way in reports it. Events
// only change records: a lost one costs time, never a question.
type Event struct {
	Kind    Kind
	Origin  session.Origin
	Asks    []Ask               // Opened: everything that waits there now; Asked, Captured: one
	ID      question.RequestID  // Replied, Rejected
	Session session.ID          // Replied, Rejected, and the kinds that speak of a session; empty for Touched: the whole origin
	Answers question.Answers    // Replied; of a permission: Once or Always
	Note    string              // Rejected, of a permission that a program asked hermes for: what the program is told
	Text    string              // Failed, Retried: what is wrong, in OpenCode's words
	Spoken  session.StreamChunk // Spoke
}

// Ask is a request and where it comes from.
type Ask struct {
	Request question.Request
	Place   session.Place
	Terms   Terms
	Said    string // what the agent wrote last before it asked, perhaps only the end of it; empty: not known

	Start     string // tells which start of its OpenCode asks, as asks do not outlive one; empty: not known
	Directory string // of an ask to hermes itself: what it is about; empty: not told. OpenCode's is in the origin
}

// Terms are what an asker wants of hermes for one ask. The zero value leaves all to
// the configuration and the rules.
type Terms struct {
	TTL      *time.Duration  // how long it waits; 0: for ever; nil: as configured
	OnExpiry question.Expiry // empty: as configured
	Cards    []question.Card // of the only chats that get it; nothing but chat and topic is set; nil: as the rules say
}

// Kind is the closed set of events.
type Kind string

const (
	Opened   Kind = "opened"   // the origin can be reached; Asks is complete
	Asked    Kind = "asked"    // a request was made just now
	Captured Kind = "captured" // a question tool call began; its request id is not known
	Replied  Kind = "replied"  // a request was answered, by whomever
	Rejected Kind = "rejected" // a request was dismissed, by whomever
	Touched  Kind = "touched"  // something happened that may have ended a request
	Named    Kind = "named"    // the place of Asks has got a name
	Finished Kind = "finished" // Session was deleted or archived, which may have ended a request as well
	Lost     Kind = "lost"     // the origin cannot be reached
	Rested   Kind = "rested"   // a session became idle; the receiver must look up whether it worked before
	Worked   Kind = "worked"   // a session became busy, or continues; said more than once a turn
	Failed   Kind = "failed"   // a session's turn met an error, other than that it was stopped
	Retried  Kind = "retried"  // a session's model gave an error and will be asked again
	Spoke    Kind = "spoke"    // a followed session said more, or a tool call of it went on; it is for display alone
	Declined Kind = "declined" // a session's turn ended as somebody dismissed a question or rejected a permission of it
	Unloaded Kind = "unloaded" // OpenCode unloads the directory: it cancels and rejects what waits there, which is no decision of a person
	Closed   Kind = "closed"   // the origin's process is gone for good, proven
)

// Finding is what OpenCode knows of a request at one moment.
type Finding struct {
	Kind    FindingKind
	Answers question.Answers // FoundAnswered; nil for a permission: its call was let run
	Note    string           // FoundDismissed, of a permission: what the agent was told
	WentOn  bool             // FoundForgotten: the agent went on by itself
	Begun   bool             // FoundStopped, FoundCancelled, of a permission: its call may have been let run before
	Start   string           // FoundGone: as in Ask, of the OpenCode that says it
}

// FindingKind is the closed set of findings.
type FindingKind string

const (
	// FoundOpen: listed, and its session works on it. It can be answered.
	FoundOpen FindingKind = "open"
	// FoundAnswered: the tool call holds answers. This is proof.
	FoundAnswered FindingKind = "answered"
	// FoundDismissed: the tool call failed because it was dismissed. Proof too.
	FoundDismissed FindingKind = "dismissed"
	// FoundStopped: the session does not work any more, or the call was aborted.
	FoundStopped FindingKind = "stopped"
	// FoundCancelled: it was cancelled, or its call was interrupted. Nothing tells whether somebody
	// dismissed or refused it, which ends its turn, or its turn was stopped.
	FoundCancelled FindingKind = "cancelled"
	// FoundDeleted: there is no such session.
	FoundDeleted FindingKind = "deleted"
	// FoundForgotten: not listed, and the call never ended, or OpenCode itself ended it: it was restarted, or reloaded.
	FoundForgotten FindingKind = "forgotten"
	// FoundGone: OpenCode has nothing of it any more, which stays so, and nothing else tells how
	// it ended: some time ago, or with the start of OpenCode that asked it.
	FoundGone FindingKind = "gone"
	// FoundPassing: not listed, and the session still works: an answer is being
	// taken in, or the request is about to be listed. Look again soon.
	FoundPassing FindingKind = "passing"
	// FoundEnded: the call of a permission ask has failed, and does not tell whether it
	// was let run.
	FoundEnded FindingKind = "ended"
	// FoundVoid: the tool call failed before it became a question.
	FoundVoid FindingKind = "void"
)
