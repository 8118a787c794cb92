package bridge

import (
	"context"
	"log/slog"
	"time"

	"hermes/bridge/internal/forum"
	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/loop"
	"hermes/internal/outbound"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// Agent is an OpenCode that can be reached.
type Agent interface {
	// Look finds out what OpenCode knows of a request. FoundOpen says that an answer that is
	// sent now still reaches the agent.
	Look(context.Context, question.Request) (event.Finding, error)
	Resolve(context.Context, question.Request) (question.Request, bool, error)
	Reply(context.Context, question.Request, question.Answers) error
	Reject(ctx context.Context, r question.Request, note string) error
}

// Chat is where people see and answer. Its methods queue and return; done is
// called once, from another goroutine.
type Chat interface {
	Cards
	Messages
}

// Cards shows threads.
type Cards interface {
	Show(p outbound.Post, done func(outbound.Shown))
}

// Messages tells people what is no card.
type Messages interface {
	Tell(m outbound.Message, done func(outbound.MessageShown))
	Box(p outbound.BoxPost, done func(question.BoxDone))
	Answer(callback string, say ui.Line, lang string) // say is nil: without words
}

// Store remembers.
type Store interface {
	Journal
	Finder
	Settings
}

// Journal takes changes, and has what has happened.
type Journal interface {
	Commit(storage.Change) error // all of a change or nothing
	EntriesSince(time.Time, storage.EntryKind) ([]storage.Entry, error)
}

// Finder has threads: Threads those that are not retired, Find the others, too.
type Finder interface {
	Threads() ([]question.Thread, error)
	Find(storage.Key) (question.Thread, bool, error)
}

// Settings has what else a Bridge begins with.
type Settings interface {
	Chats() ([]chat.Chat, error)
	Pairings() (storage.Pairings, error)
	Topics() ([]storage.Topic, error)
	LinkCodes() ([]storage.LinkCode, error)
}

// Config says what a Bridge works with. Zero durations mean what they say: no
// delay, no deadline.
type Config struct {
	Loop   *loop.Loop // to which all state belongs
	Store  Store
	Chat   Chat
	Agents func(session.Origin) (Agent, bool) // the agent that reaches an origin now
	Log    *slog.Logger

	Forum forum.Maker // makes a topic for each root session, where a chat has topics; nil: none

	Damaged bool // who may answer could not be read whole: no link lets in a first person

	Strange  func() // called for each thing that a stranger does; may be nil
	Skipped  func() // called for each reply that is left out, as a person asked for too many; may be nil
	HeldBack func() // called whenever an ask is not taken in, as there are too many of its machine; may be nil
	Foreign  func() // called whenever an OpenCode speaks of a session of another one; may be nil

	// Sending is called when the first message of a card leaves the chat's queue for it. The
	// function that it returns is called when that message is known, or did not arrive: not
	// when the Bridge ends before. Neither may wait. May be nil.
	Sending func(chat.ID) (arrived func())
	// Moved is called in the loop for each group that became a supergroup, perhaps more than once. May be nil.
	Moved func(from, to chat.ID)

	// Skew is how far the clock here is ahead of Telegram's: the time of an inbound.Input is by that one. Nil: they agree.
	Skew func() time.Duration

	Owners Owners // of links; nil: no link has one

	// PublicURLs are where other machines reach the HTTP interface of this hermes, and then of those that share its store; none: that is
	// not known, and nobody gets a code for one.
	PublicURLs []string

	Rules *policy.Ruleset // who may answer, and which chats get it; SetRules exchanges it

	Undo            time.Duration // how long what people decide is held; 0: it is sent at once
	TTL             time.Duration // 0: questions wait for ever
	OnExpiry        question.Expiry
	NotifyDelay     time.Duration
	Context         bool // cards show what the agent wrote before it asked
	ResolveAttempts int
	ResolveInterval time.Duration
}
