package outbound

import (
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/secret"
)

// Alert is what a tap is acknowledged with.
type Alert struct {
	Kind    AlertKind
	Outcome *question.Outcome  // AlertEnded
	By      *question.Decision // AlertDecided
	Held    bool               // AlertDecided: it is not sent yet, and can be taken back
	Notice  question.Notice    // AlertNotice
	Request question.Request   // what Outcome and Notice speak of
	Claim   *question.Claim    // AlertClaimed
	Votes   int                // AlertVoted: approvals so far
	Needs   int                // AlertVoted: and how many it needs
	Owner   question.Owner     // AlertNotOwner, AlertTaken
	Roles   []string           // AlertNoRole, AlertWrongRole, AlertLetIn: those that may; empty: any
}

// AlertKind is the closed set of acknowledgements.
type AlertKind string

const (
	AlertNone      AlertKind = ""           // taken: no words needed
	AlertStale     AlertKind = "stale"      // an older step of the question
	AlertEnded     AlertKind = "ended"      // settled: Outcome says how
	AlertDecided   AlertKind = "decided"    // somebody answered already: By says who
	AlertStranger  AlertKind = "stranger"   // this person may not answer here
	AlertNoRole    AlertKind = "no-role"    // this person is known, and may not answer anything
	AlertWrongRole AlertKind = "wrong-role" // this person may not answer this
	AlertNotOwner  AlertKind = "not-owner"  // it is for Owner alone
	AlertOwnAgent  AlertKind = "own-agent"  // this person's own agent asks, and others have to answer
	AlertTaken     AlertKind = "taken"      // the machine belongs to Owner by now, whose ask it is
	AlertLetIn     AlertKind = "let-in"     // this person lacks one of Roles, and so may not let anybody in with them
	AlertUnknown   AlertKind = "unknown"    // no such question
	AlertNotice    AlertKind = "notice"     // refused: Notice says why
	AlertPartly    AlertKind = "partly"     // not allowed here: the chat cannot show all that it is for
	AlertVoted     AlertKind = "voted"      // this person has approved already
	AlertClaimed   AlertKind = "claimed"    // somebody else is on it: Claim says who
	AlertNotHere   AlertKind = "not-here"   // sessions are not steered in this chat
	AlertNotYours  AlertKind = "not-yours"  // the session is on another person's machine
	AlertSent      AlertKind = "sent"       // the text went to a session already
	AlertNoText    AlertKind = "no-text"    // the text is not kept, or not any more
	AlertNotTheirs AlertKind = "not-theirs" // somebody else wrote the text
)

// Note is a short message beside the cards.
type Note struct {
	Kind    NoteKind
	Chat    chat.ID
	Topic   int
	ReplyTo chat.MessageID  // 0: none
	Lang    string          // of the person it is for; empty: the chat's
	View    question.View   // NoteRemind, NoteAskAgain, NoteEnded
	NoRight bool            // NoteEnded: the text did not go to the session, as its writer may not prompt sessions
	Notice  question.Notice // NoteAskAgain
	User    chat.User       // NoteGreeting, NoteStranger
	Owner   question.Owner  // NoteNotOwner, NoteTaken
	Roles   []string        // NoteNoRole, NoteWrongRole: those that may; empty: any
	Claim   *question.Claim // NoteClaimed
	Machine Machine         // NoteLinkCode, NoteLinked
}

// Machine is one that is to be linked, or was.
type Machine struct {
	URL  string      // NoteLinkCode: where the machine reaches hermes
	Code secret.Text // NoteLinkCode: what it gives for a link
	For  time.Duration
	Name string // NoteLinked: of the link
	Host string // NoteLinked: what the machine calls itself; empty: it did not say
}

// NoteKind is the closed set of notes.
type NoteKind string

const (
	NoteRemind    NoteKind = "remind"     // with sound: it still waits
	NoteAskAgain  NoteKind = "ask-again"  // the typed text was not taken: Notice says why
	NoteEnded     NoteKind = "ended"      // the typed text came after the end
	NoteNothing   NoteKind = "nothing"    // nothing is asked here
	NoteWhich     NoteKind = "which"      // it is not clear which question is meant: reply to it
	NoteGreeting  NoteKind = "greeting"   // to /start, for a person who may answer
	NoteElsewhere NoteKind = "elsewhere"  // the same, in a chat that gets no questions
	NoteStranger  NoteKind = "stranger"   // to /start, for anyone else
	NoteNoRole    NoteKind = "no-role"    // the typed text does not count: this person may not answer anything
	NoteWrongRole NoteKind = "wrong-role" // the same: this person may not answer this
	NoteNotOwner  NoteKind = "not-owner"  // the same: it is for Owner alone
	NoteTaken     NoteKind = "taken"      // the same: the machine belongs to Owner by now
	NoteOwnAgent  NoteKind = "own-agent"  // the same: this person's own agent asks, and others have to answer
	NoteNoFile    NoteKind = "no-file"    // a photo, a file or the like is no answer
	NoteMovedOn   NoteKind = "moved-on"   // the typed text does not count: it replies to a ReplyBox of another step
	NoteNoBox     NoteKind = "no-box"     // the typed text does not count: nobody can tell what the ReplyBox was for
	NoteClaimed   NoteKind = "claimed"    // the typed text does not count: somebody else is on it
	NoteUnsigned  NoteKind = "unsigned"   // the text does not count: nobody can tell whose it is
	NoteForwarded NoteKind = "forwarded"  // the message does not count: it is not the person's own
	NoteLinkCode  NoteKind = "link-code"  // to /link: what to run on the machine
	NoteLinkOther NoteKind = "link-other" // to /link in a group: it is said in private
	NoteLinkNoURL NoteKind = "link-nourl" // to /link: hermes does not know where machines reach it
	NoteLinked    NoteKind = "linked"     // a machine of the person's has used their code
	NotePaced     NoteKind = "paced"      // some of what they ask for is not answered for a while
)
