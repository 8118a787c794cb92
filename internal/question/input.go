package question

import "time"

// UpdateID is Telegram's number of an update. Every input names the update that
// it came in, so that the store can forget the one when it keeps the other.
type UpdateID int64

// User is a person as Telegram named them when they acted.
type User struct {
	ID   UserID
	Name string

	Username string // without @; empty: they have none
	Lang     string // IETF language tag of their client; may be empty
}

// Input is something that a person did in a chat, or that Telegram says of a chat.
type Input struct {
	Kind    InputKind
	Update  UpdateID
	Chat    ChatID
	Topic   int
	Private bool     // the chat is between the bot and one person
	Title   string   // of a group
	Message PostedID // tapped, or the typed or attached message itself
	User    User
	Sent    time.Time // of a typed or attached message, by Telegram's clock

	Callback string // Tapped: to be acknowledged by this name
	Thread   ID     // Tapped: from the button; empty if the button is none of ours
	Move     Move   // Tapped: from the button
	Order    Order  // Tapped: from a button about sessions; else zero

	Text    string   // Typed; Attached: the caption, which may be empty
	ReplyTo PostedID // Typed, Attached: 0 when it is no reply
	ToBox   bool     // Typed, Attached: what it replies to is the bot's, and looks like a ReplyBox
	Command string   // Typed, Attached: "start" for /start; empty when it is none
	Sure    bool     // Typed: the person has said that it is an answer, though it looks like a command

	What  Matter // Attached: what was sent
	File  File   // Attached: its ID is empty when there is nothing to fetch
	Album string // Attached: the same for all messages that are shown as one; empty: it stands alone

	// Forwarded: Typed, Attached: the person has passed it on from elsewhere, or had another
	// bot write it. It is not what they say, and none of it is an answer, a command or a prompt.
	Forwarded bool

	NewChat ChatID // Moved
}

// InputKind is the closed set of inputs.
type InputKind string

const (
	Tapped    InputKind = "tapped"    // a button
	Typed     InputKind = "typed"     // a text message
	Attached  InputKind = "attached"  // a message that is no text: What it is, perhaps with a File and a caption
	Unsigned  InputKind = "unsigned"  // a text of an anonymous admin, or in a channel's name: nobody can tell whose
	Moved     InputKind = "moved"     // the group became the supergroup NewChat
	Blocked   InputKind = "blocked"   // the bot can write there no more
	Unblocked InputKind = "unblocked" // it can again
	Ignored   InputKind = "ignored"   // nothing for hermes; only the update is to be forgotten
)

// Chat is what hermes remembers of a chat.
type Chat struct {
	ID      ChatID
	Lang    string // of the person who acted there last; empty: nobody did
	MovedTo ChatID // the supergroup that it became; 0: none
	Blocked bool
	Hinted  bool // was told that nothing is asked, and nothing was asked since
	Greeted bool // a stranger there got the one reply that strangers get

	Seen time.Time // when it was last remembered anything new of; zero: before that was kept
}

// Alert is what a tap is acknowledged with.
type Alert struct {
	Kind    AlertKind
	Outcome *Outcome  // AlertEnded
	By      *Decision // AlertDecided
	Notice  Notice    // AlertNotice
	Request Request   // what Outcome and Notice speak of
	Claim   *Claim    // AlertClaimed
	Late    *Late     // AlertLate
	Votes   int       // AlertVoted: approvals so far
	Needs   int       // AlertVoted: and how many it needs
	Roles   []string  // AlertNoRole, AlertWrongRole, AlertLetIn: those that may; empty: any
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
	AlertLetIn     AlertKind = "let-in"     // this person lacks one of Roles, and so may not let anybody in with them
	AlertUnknown   AlertKind = "unknown"    // no such question
	AlertSetAside  AlertKind = "set-aside"  // what was kept of the question cannot be read
	AlertNotice    AlertKind = "notice"     // refused: Notice says why
	AlertNotSaved  AlertKind = "not-saved"  // the store failed: tap again
	AlertLate      AlertKind = "late"       // it has got a late answer already: Late says whose
	AlertVoted     AlertKind = "voted"      // this person has approved already
	AlertClaimed   AlertKind = "claimed"    // somebody else is on it: Claim says who
	AlertNotHere   AlertKind = "not-here"   // sessions are not steered in this chat
)

// Note is a short message beside the cards.
type Note struct {
	Kind    NoteKind
	Chat    ChatID
	Topic   int
	ReplyTo PostedID // 0: none
	Lang    string   // of the person it is for; empty: the chat's
	View    View     // NoteRemind, NoteAskAgain, NoteEnded
	Notice  Notice   // NoteAskAgain
	User    User     // NoteGreeting, NoteStranger
	Roles   []string // NoteNoRole, NoteWrongRole: those that may; empty: any
	Claim   *Claim   // NoteClaimed
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
	NoteNotSaved  NoteKind = "not-saved"  // the store failed: it will be taken later
	NoteNoFile    NoteKind = "no-file"    // a photo, a file or the like is no answer
	NoteMovedOn   NoteKind = "moved-on"   // the typed text does not count: it replies to a ReplyBox of another step
	NoteNoBox     NoteKind = "no-box"     // the typed text does not count: nobody can tell what the ReplyBox was for
	NoteClaimed   NoteKind = "claimed"    // the typed text does not count: somebody else is on it
	NoteSetAside  NoteKind = "set-aside"  // the text does not count: what was kept of its question cannot be read
	NoteUnsigned  NoteKind = "unsigned"   // the text does not count: nobody can tell whose it is
	NoteForwarded NoteKind = "forwarded"  // the message does not count: it is not the person's own
	NotePaced     NoteKind = "paced"      // some of what they ask for is not answered for a while
)
