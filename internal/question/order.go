package question

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// Order is what a button that is about sessions asks for.
type Order struct {
	Kind    OrderKind
	Session SessionID // OrderUse, OrderStop, OrderLast
	Page    int       // OrderPage, from 0
	At      time.Time // OrderStop: when it was asked about, in whole seconds
	Update  UpdateID  // OrderAnswer, OrderCommand: the text in doubt
	Folder  string    // OrderNew: the Tag of its directory
	Thread  ID        // OrderLate
	Move    Move      // OrderLate: in the conversation about the answer; zero: begin one
}

// Tag stands for a directory where its name would be too long: 16 characters of 0-9 and
// a-f, always the same ones.
func Tag(directory string) string {
	sum := sha256.Sum256([]byte(directory))
	return hex.EncodeToString(sum[:8])
}

// OrderKind is the closed set of orders.
type OrderKind string

const (
	OrderUse     OrderKind = "use"     // text goes to the session from now on
	OrderNew     OrderKind = "new"     // a session is to be made
	OrderPage    OrderKind = "page"    // another page of the list
	OrderStop    OrderKind = "stop"    // the session, for good
	OrderKeep    OrderKind = "keep"    // do not stop it
	OrderAnswer  OrderKind = "answer"  // the text in doubt is an answer
	OrderCommand OrderKind = "command" // it is a command
	OrderLate    OrderKind = "late"    // an answer goes as a prompt, as the question takes none any more
)

// TellingShown says what became of a telling.
type TellingShown struct {
	Messages []PostedID // all that the chat shows of it
	Unfiled  bool       // of Messages, as in Telling
	Err      error      // why it is not shown whole; nil on success
}

// Telling is a message about sessions.
type Telling struct {
	Kind    TellingKind
	Chat    ChatID
	Topic   int
	ReplyTo PostedID // 0: none
	Edit    PostedID // the message that it takes the place of; 0: none
	Silent  bool
	Lang    string     // of the person it is for; empty: the chat's
	Shown   []PostedID // its first messages, which an attempt before this one has sent
	Unfiled bool       // Shown has no file, though the message would begin with one: the chat took none

	Session  Session   // what it is about
	Live     Live      // TellLive
	Remove   bool      // TellLive: take the message away, where that can be done
	Turn     Turn      // TellTurn, TellLast, TellTodo, TellLive
	Text     string    // TellDiff: the whole diff; TellHeard: the words; TellUnknown, TellDoubt, TellLevel, TellMute: what was typed; TellAgent, TellModel: the name that is not there; TellNothing, TellRetried: the error
	Reason   Reason    // TellRefused, TellFailed
	Listed   []Listed  // TellSessions: one page
	Page     int       // TellSessions, from 0
	Pages    int       // TellSessions
	Asks     []Thread  // TellPending, TellStatus, TellBehind, TellDoubt: what waits for a person
	Seat     Seat      // TellStatus, TellLevel, TellMute
	Owed     int       // TellStatus: prompts that were not sent yet
	Found    int       // TellStatus: OpenCode instances that can be reached
	Roles    []string  // TellNoRight: those that may
	At       time.Time // TellStopAsk
	Update   UpdateID  // TellDoubt
	Projects []string  // TellWhere: directories to choose from
	File     File      // TellTooLarge, TellFileGone, TellFetching: its Size 0 if it is not known
	What     Matter    // TellUnusable
	Wizard   Wizard    // TellLate: how far the conversation about Asks[0] is
	Names    []string  // TellAgent, TellModel, TellRun: what there is to choose from; empty: it was chosen
}

// Listed is a session in a list.
type Listed struct {
	Session
	Waits  bool // for a person
	Chosen bool // the chat uses it
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

// TellingKind is the closed set of tellings.
type TellingKind string

const (
	// Of a prompt.
	TellTaken   TellingKind = "taken"   // the session is proven to have it, and works
	TellNoted   TellingKind = "noted"   // the same, of a prompt that starts no turn
	TellQueued  TellingKind = "queued"  // the same, but the agent was busy: it comes next
	TellBehind  TellingKind = "behind"  // the same, but the agent waits for Asks first
	TellKept    TellingKind = "kept"    // OpenCode cannot be reached: it is kept
	TellDeleted TellingKind = "deleted" // not sent: the session is gone
	TellRefused TellingKind = "refused" // not sent: OpenCode does not take it
	TellGivenUp TellingKind = "given-up"

	// Of what is no text.
	TellTooLarge TellingKind = "too-large" // not sent: files of one prompt are larger than MaxFiles together
	TellFileGone TellingKind = "file-gone" // not sent: Telegram does not give the file out
	TellFetching TellingKind = "fetching"  // Telegram does not give the file out now: the prompt is kept
	TellUnusable TellingKind = "unusable"  // not sent: no prompt can have such a thing in it
	TellHeard    TellingKind = "heard"     // what was said in a voice message: Text
	TellSilent   TellingKind = "silent"    // not sent: nothing was
	TellUnheard  TellingKind = "unheard"   // not sent: what was said could not be written down
	TellDeaf     TellingKind = "deaf"      // not sent: there is nothing that writes it down
	TellNoFile   TellingKind = "no-file"   // not done: the command in a caption takes no file

	// Of a late answer.
	TellLate     TellingKind = "late"      // which one is it? Asks[0] is the question
	TellLateOver TellingKind = "late-over" // the question takes none any more; Asks[0] says why
	TellLateNone TellingKind = "late-none" // nobody wants to send one
	TellNoAnswer TellingKind = "no-answer" // a file is none

	// Of a session.
	TellTurn    TellingKind = "turn" // it has finished
	TellLive    TellingKind = "live" // what a session does just now: the end of Turn.Text, and Text, the tool at work; or how that ended
	TellBegan   TellingKind = "began"
	TellNothing TellingKind = "nothing" // it has the prompt, and did nothing
	TellRetried TellingKind = "retried" // its model gives errors, and is asked again
	TellUsing   TellingKind = "using"
	TellNew     TellingKind = "new"
	TellLast    TellingKind = "last"
	TellDiff    TellingKind = "diff"
	TellTodo    TellingKind = "todo"
	TellStopAsk TellingKind = "stop-ask" // shall it be stopped?
	TellStopped TellingKind = "stopped"  // proven
	TellWorks   TellingKind = "works"    // it could not be stopped
	TellIdle    TellingKind = "idle"     // there is nothing to stop
	TellGoesOn  TellingKind = "goes-on"  // nobody wants it stopped
	TellTooLate TellingKind = "too-late" // the button is too old
	TellGone    TellingKind = "gone"     // there is no such session any more

	// Of the chat.
	TellSessions TellingKind = "sessions"
	TellStatus   TellingKind = "status"
	TellPending  TellingKind = "pending"
	TellLevel    TellingKind = "level"
	TellMute     TellingKind = "mute"
	TellFollow   TellingKind = "follow"
	TellAgent    TellingKind = "agent" // of the session in use
	TellModel    TellingKind = "model"
	TellRun      TellingKind = "run" // the commands that OpenCode has
	TellHelp     TellingKind = "help"
	TellUnknown  TellingKind = "unknown"  // no such command
	TellWhich    TellingKind = "which"    // no session is in use
	TellWhere    TellingKind = "where"    // in which directory?
	TellOffline  TellingKind = "offline"  // no OpenCode can be reached
	TellFailed   TellingKind = "failed"   // OpenCode did not do it
	TellNoRight  TellingKind = "no-right" // this person may not
	TellDoubt    TellingKind = "doubt"    // an answer, or a command?
	TellNotSaved TellingKind = "not-saved"
	TellNotHere  TellingKind = "not-here"  // sessions are not steered in this chat
	TellPaced    TellingKind = "paced"     // some of what this person asks for is not answered for a while
	TellForward  TellingKind = "forwarded" // the message does not count: it is not the person's own
)
