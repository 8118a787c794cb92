package sessions

import (
	"context"
	"log/slog"
	"time"

	"hermes/internal/chat"
	"hermes/internal/loop"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// Agent is an OpenCode that can be reached, in one directory. All methods may be called
// concurrently; each ends in bounded time, also if ctx does not. Their errors say whether a
// later try may succeed (Temporary() bool; an error without it may), and errors.Is tells of
// session.ErrNoSession: the OpenCode has no such session.
type Agent interface {
	Reader
	Prompter
	Driver
	Catalogue
}

// Reader reads sessions.
type Reader interface {
	// Sessions lists at most limit root sessions, the newest first. Busy is right only for
	// those that this OpenCode runs.
	Sessions(ctx context.Context, limit int) ([]session.Session, error)
	Session(context.Context, session.ID) (session.Session, error)
	// Turn is the last turn of a session; one without a Message: the agent has said nothing
	// there yet. Its Session is how the session stands by then. An Unfinished turn has no
	// end in what this OpenCode reads, and is Aborted if it does not run it.
	Turn(context.Context, session.ID) (session.Turn, error)
	// Diff is what the session has changed, as a unified diff; empty: nothing.
	Diff(context.Context, session.ID) (string, error)
}

// Prompter gives prompts to sessions.
type Prompter interface {
	// NextID makes the id of the session's next prompt, just before it is sent.
	NextID(context.Context, session.ID) (session.MessageID, error)
	// Prompt makes one attempt. Success is no proof: Prompted looks whether the
	// session has the message. session.ErrLateID: the session has gone on, and the prompt
	// needs another id. Errors that are final are session.ErrNoAgent, ErrNoModel,
	// ErrNoCommand, ErrSigns, ErrNoText, ErrFile, ErrTooLarge and ErrNotDriven.
	Prompt(context.Context, session.Prompt) error
	Prompted(context.Context, session.ID, session.MessageID) (bool, error)
	// Wake makes the session begin with a prompt that it has and ignored.
	Wake(context.Context, session.ID, session.MessageID) error
}

// Driver makes and stops sessions.
type Driver interface {
	// CreateOnce makes a session, unless one was made there for the same moment. The error
	// may be session.ErrNotDriven.
	CreateOnce(ctx context.Context, at time.Time) (session.Session, error)
	// Abort stops the turn that runs, or one subagent of it. Success is no proof.
	Abort(context.Context, session.ID) error
}

// Catalogue lists what prompts can name.
type Catalogue interface {
	Agents(context.Context) ([]string, error)    // that a session can be given to
	Subagents(context.Context) ([]string, error) // that a prompt can mention
	Models(context.Context) ([]session.Model, error)
	Commands(context.Context) ([]string, error)
}

// Chat is where people see. Its methods queue and return; done is called once, from
// another goroutine, with what became of it.
type Chat interface {
	Tell(m outbound.Message, done func(outbound.MessageShown))
	Answer(callback string, say ui.Line, lang string)
	// React puts an emoji under a person's message, in place of the one before; "" takes
	// it away.
	React(chat chat.ID, message chat.MessageID, emoji string, done func(error))
	// Follow shows in one silent message what a session does: touch says that it has
	// changed, end that it has for the last time.
	Follow(outbound.LiveMessage) (touch, end func())
}

// Store remembers. Its methods may be called concurrently.
type Store interface {
	Loader
	Finder
	// Commit keeps all of a change or nothing. A change may be kept though Commit failed.
	Commit(storage.Change) error
}

// Loader is what a Store gives at the start.
type Loader interface {
	SessionRecords() (storage.SessionRecords, error)
}

// Finder looks one thing up.
type Finder interface {
	// MessageRef is which session a message of a chat belongs to, false if none is known.
	MessageRef(chat.ID, chat.MessageID) (remote.MessageRef, bool, error)
	// Find is the thread of an ask, also of one that has ended, false if none is known.
	Find(storage.Key) (question.Thread, bool, error)
	// ToldTurn is the last turn of a session whose end was reported; empty: none that is known.
	ToldTurn(session.ID) (session.MessageID, error)
}

// Asks are what agents ask people, and who is asked. A Controller calls them beside the loop: they
// may wait for it.
type Asks interface {
	Open(context.Context) ([]question.Thread, error) // those that people are shown
	// Hearers are the places where an ask of the turn's session would be shown now, of those
	// in which people may see what sessions did.
	Hearers(context.Context, session.Origin, session.Turn) ([]remote.Hearer, error)
	// Waits says how long the turn waited for people, and where a card has said how it ended.
	Waits(context.Context, session.Origin, session.Turn) (remote.Waits, error)
}

// Chats knows the chats that there are. Its methods are called in the loop.
type Chats interface {
	// Home says whether hermes is set up for a chat: only there people drive sessions and hear of them.
	Home(chat.ID) bool
	// Current is what a group has become, or the chat itself.
	Current(chat.ID) chat.ID
	// Moves are the groups that became others.
	Moves() map[chat.ID]chat.ID
	// GroupMoved is called when a message says that a group has become another; it calls Controller.Moved.
	GroupMoved(from, to chat.ID)
}

// Config says what a Controller works with. All of it but Sending, Hear, Skipped and Foreign
// is required.
type Config struct {
	Loop   *loop.Loop // to which all state belongs
	Asks   Asks
	Store  Store
	Chat   Chat
	Agents func(session.Origin) (Agent, bool) // the agent that reaches an origin now
	Places func() []session.Origin            // where sessions may be made though nothing was heard from there
	Roles  func() []string                    // those who may drive sessions
	Follow func([]session.ID)                 // says of which sessions event.Spoke is wanted, from now on
	Log    *slog.Logger

	Chats   Chats
	Skipped func() // called for each reply that is left out, as a person asked for too many

	// Fetch gets a file that a person sent, of limit bytes at most. Its error is
	// session.ErrTooLarge for a larger one, and says whether a later try may succeed.
	Fetch func(ctx context.Context, file chat.FileID, limit int64) ([]byte, error)
	// Hear writes down what is said in a sound file. It tries again by itself what may
	// pass. nil: nothing does it.
	Hear func(ctx context.Context, name, mime string, sound []byte) (string, error)
	// Sending is called when a message about sessions is on its way to a chat. The function
	// that it returns is called when that message is known, or did not arrive: not when Run
	// ends before. Neither may wait. May be nil.
	Sending func(chat.ID) (arrived func())

	// Owner is the person to whom the link of this name belongs, 0: nobody; false: there is no such link now. It may be called
	// from anywhere, and never waits. nil: no link has an owner.
	Owner func(link string) (chat.UserID, bool)

	// Machines are a person's, by name, without what waits there. It may be called from anywhere, and never waits. nil: nobody has any.
	Machines func(chat.UserID) []remote.Machine

	// Unlink revokes the link of this id, if it is this person's; false: it is not, or there is none. It may be called from anywhere but
	// the loop. Required where Machines is.
	Unlink func(owner chat.UserID, link string, by question.Actor) (bool, error)

	Links bool // people link machines of theirs with /link

	Foreign func() // called whenever an OpenCode speaks of a session of another one; may be nil

	IdleDelay time.Duration // how long a session must rest before its turn counts as ended
	TurnAfter time.Duration // how long a turn must run for chats of remote.LevelTurns to hear of its end; 0: any
}
