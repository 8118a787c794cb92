package remote

import (
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/session"
)

// MessageShown says what became of a telling.
type MessageShown struct {
	Messages []chat.MessageID // all that the chat shows of it
	Unfiled  bool             // of Messages, as in Telling
	Err      error            // why it is not shown whole; nil on success
}

// Message is a message about sessions.
type Message struct {
	Kind    MessageKind
	Chat    chat.ID
	Topic   int
	ReplyTo chat.MessageID // 0: none
	Edit    chat.MessageID // the message that it takes the place of; 0: none
	Silent  bool
	Lang    string           // of the person it is for; empty: the chat's
	Shown   []chat.MessageID // its first messages, which an attempt before this one has sent
	Unfiled bool             // Shown has no file, though the message would begin with one: the chat took none

	Session  session.Session   // what it is about
	Live     LiveState         // TellLive
	Remove   bool              // TellLive, and with Edit: take the message away, where that can be done
	Turn     session.Turn      // TellTurn, TellLast, TellTodo, TellLive, TellStatus, TellAgent, TellModel
	Text     string            // TellDiff: all of it; TellHeard, TellSaid: the words; TellLate: the prompt; TellUnknown, TellDoubt, TellLevel, TellMute: what was typed; TellAgent, TellModel: the name that is not there, or NoName; TellNothing, TellRetried: the error
	Reason   Reason            // TellRefused, TellFailed
	Listed   []ListedSession   // TellSessions: one page; TellDraft: those to choose from
	Page     int               // TellSessions, TellAgent, TellModel, from 0
	Pages    int               // TellSessions, TellAgent, TellModel
	Asks     []question.Thread // TellPending, TellStatus, TellBehind, TellDoubt: what waits for a person
	Settings ChatSettings      // TellStatus, TellLevel, TellMute, TellFollow, TellAgent, TellModel
	Using    bool              // TellFollow, TellAgent, TellModel: the chat uses the session from now on
	After    time.Duration     // TellStatus, TellLevel: how long a turn must run for LevelTurns
	Hint     bool              // TellTurn: say how to change what the chat hears
	Owed     int               // TellStatus: prompts that were not sent yet
	Machines []Machine         // TellStatus: of the person who asks, in their private chat; TellUnlink, TellUnlinked: the one
	Links    bool              // TellHelp: people can link machines of theirs with /link
	Found    int               // TellStatus: OpenCode instances that can be reached
	Roles    []string          // TellNoRight: those that may
	At       time.Time         // TellStopAsk, TellUnlink
	Update   chat.UpdateID     // TellDoubt
	Projects []string          // TellWhere: directories to choose from
	File     chat.File         // TellTooLarge, TellFileGone, TellFetching: its Size 0 if it is not known
	What     chat.Media        // TellUnusable
	Names    []string          // TellAgent, TellModel: one page of what there is to choose from; TellRun: all; empty: it was chosen
}

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

// NoName is the name, as the Text of TellAgent and TellModel, of what was offered once and is not there any more.
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

// MessageKind is the closed set of tellings.
type MessageKind string

const (
	// Of a prompt.
	TellTaken   MessageKind = "taken"   // the session is proven to have it, and works
	TellNoted   MessageKind = "noted"   // the same, of a prompt that starts no turn
	TellQueued  MessageKind = "queued"  // the same, but the agent was busy: it comes next
	TellBehind  MessageKind = "behind"  // the same, but the agent waits for Asks first
	TellKept    MessageKind = "kept"    // OpenCode cannot be reached: it is kept
	TellDeleted MessageKind = "deleted" // not sent: the session is gone
	TellRefused MessageKind = "refused" // not sent: OpenCode does not take it
	TellGivenUp MessageKind = "given-up"
	TellBefore  MessageKind = "before" // not sent: it is from a restored backup, and may have been sent before

	// Of what is no text.
	TellTooLarge MessageKind = "too-large" // not sent: files of one prompt are larger than MaxFiles together
	TellFileGone MessageKind = "file-gone" // not sent: Telegram does not give the file out
	TellFetching MessageKind = "fetching"  // Telegram does not give the file out now: the prompt is kept
	TellUnusable MessageKind = "unusable"  // not sent: no prompt can have such a thing in it
	TellHeard    MessageKind = "heard"     // what was said in a voice message: Text
	TellSaid     MessageKind = "said"      // the same, in reply to an ask: shall Text be the answer?
	TellUnsaid   MessageKind = "unsaid"    // it shall not: who spoke types instead
	TellSilent   MessageKind = "silent"    // not sent: nothing was
	TellUnheard  MessageKind = "unheard"   // not sent: what was said could not be written down
	TellDeaf     MessageKind = "deaf"      // not sent: there is nothing that writes it down
	TellNoFile   MessageKind = "no-file"   // not done: the command in a caption takes no file

	TellLate MessageKind = "late" // Asks[0] has ended: shall Text, the answer that came too late, go to its session as a prompt?

	// Of a session.
	TellTurn    MessageKind = "turn" // it has finished
	TellLive    MessageKind = "live" // what a session does just now: the end of Turn.Text, and Text, the tool at work; or how that ended
	TellBegan   MessageKind = "began"
	TellNothing MessageKind = "nothing" // it has the prompt, and did nothing
	TellRetried MessageKind = "retried" // its model gives errors, and is asked again
	TellUsing   MessageKind = "using"
	TellNew     MessageKind = "new"
	TellLast    MessageKind = "last"
	TellDiff    MessageKind = "diff"
	TellTodo    MessageKind = "todo"
	TellStopAsk MessageKind = "stop-ask" // shall it be stopped?
	TellStopped MessageKind = "stopped"  // proven
	TellWorks   MessageKind = "works"    // it could not be stopped
	TellIdle    MessageKind = "idle"     // there is nothing to stop
	TellGoesOn  MessageKind = "goes-on"  // nobody wants it stopped
	TellTooLate MessageKind = "too-late" // the button is too old
	TellGone    MessageKind = "gone"     // there is no such session any more

	// Of the chat.
	TellSessions MessageKind = "sessions"
	TellStatus   MessageKind = "status"
	TellPending  MessageKind = "pending"
	TellLevel    MessageKind = "level"
	TellMute     MessageKind = "mute"
	TellFollow   MessageKind = "follow"
	TellAgent    MessageKind = "agent" // of the session in use
	TellModel    MessageKind = "model"
	TellPast     MessageKind = "past"     // what there was to choose from is of another session than the one in use
	TellRun      MessageKind = "run"      // the commands that OpenCode has
	TellUnlink   MessageKind = "unlink"   // shall the link of Machines[0] be revoked?
	TellUnlinked MessageKind = "unlinked" // it was
	TellNoLink   MessageKind = "no-link"  // it is not the person's, or was revoked
	TellLinked   MessageKind = "linked"   // it stays
	TellHelp     MessageKind = "help"
	TellUnknown  MessageKind = "unknown"   // no such command
	TellWhich    MessageKind = "which"     // no session is in use
	TellDraft    MessageKind = "draft"     // a text has no session; it can be sent to those that are Listed
	TellWhere    MessageKind = "where"     // in which directory?
	TellOffline  MessageKind = "offline"   // no OpenCode can be reached
	TellFailed   MessageKind = "failed"    // OpenCode did not do it
	TellNoRight  MessageKind = "no-right"  // this person may not
	TellDoubt    MessageKind = "doubt"     // an answer, or a command?
	TellNotYours MessageKind = "not-yours" // the session is on somebody's machine, for its owner alone
	TellNotHere  MessageKind = "not-here"  // sessions are not steered in this chat
	TellPaced    MessageKind = "paced"     // some of what this person asks for is not answered for a while
	TellForward  MessageKind = "forwarded" // the message does not count: it is not the person's own
)
