package bridge

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"hermes/internal/loop"
	"hermes/internal/policy"
	"hermes/internal/question"
)

// Agent is an OpenCode that can be reached.
type Agent interface {
	Look(context.Context, question.Request) (question.Finding, error)
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
	Show(p question.Post, done func(question.Shown))
	Search(s question.Search, done func(question.Searched))
	Last(question.ChatID) question.PostedID // the highest id of a message that is known there
}

// Messages tells people what is no card.
type Messages interface {
	Note(n question.Note, done func(question.PostedID, error))
	Box(p question.BoxPost, done func(question.BoxDone))
	Answer(callback string, a question.Alert, lang string)
}

// Store remembers.
type Store interface {
	Journal
	Finder
	Settings
}

// Journal takes changes, and has what has happened.
type Journal interface {
	Commit(question.Change) error // all of a change or nothing
	Recorded(question.Entry) (bool, error)
	EntriesSince(time.Time, question.EntryKind) ([]question.Entry, error)
}

// Finder has threads: Threads those that are not retired, Find the others, too.
type Finder interface {
	Threads() ([]question.Thread, error)
	Find(question.Key) (question.Thread, bool, error)
}

// Settings has what else a Bridge begins with.
type Settings interface {
	Chats() ([]question.Chat, error)
	Pairings() (question.Pairings, error)
	Topics() ([]question.Topic, error)
}

// Config says what a Bridge works with. Zero durations mean what they say: no
// delay, no deadline.
type Config struct {
	Store  Store
	Chat   Chat
	Agents func(question.Origin) (Agent, bool) // the agent that reaches an origin now
	Log    *slog.Logger

	Forum TopicMaker // makes a topic for each root session, where a chat has topics; nil: none

	Approvals bool // programs may decide permission asks, as far as no rule leaves them to people

	Damaged bool // who may answer could not be read whole: no link lets in a first person

	Strange  func() // told of each thing that a stranger does; may be nil
	Skipped  func() // told of each reply that is left out, as a person asked for too many; may be nil
	HeldBack func() // told whenever an ask is not taken in, as there are too many of its machine; may be nil
	Foreign  func() // told whenever an OpenCode speaks of what belongs to another one; may be nil

	// Else is given what a person does that means no ask; drives says whether they may
	// drive sessions. It reports whether it takes it, and then lets go of the update
	// itself. It must not wait for the Bridge. May be nil.
	Else func(in question.Input, drives bool) bool
	// Doubt is given a text that begins like a command and would be said to a thread;
	// words says whether it replies to it, or words were asked for. It reports whether it
	// takes the text, which then comes again, with Sure, or never. It must not wait
	// either. May be nil.
	Doubt func(in question.Input, drives bool, t question.Thread, words bool) bool

	// Moved is told of each group that became a supergroup, perhaps more than once. It must
	// not wait either. May be nil.
	Moved func(from, to question.ChatID)

	Rules *policy.Book // who may answer, and which chats get it; SetRules exchanges it

	TTL             time.Duration // 0: questions wait for ever
	OnExpiry        question.Expiry
	NotifyDelay     time.Duration
	ResolveAttempts int
	ResolveInterval time.Duration
}

// Bridge is the reconcile loop. Make it with New, then Run it; the other methods
// may be called concurrently, and wait while Run does not run.
type Bridge struct {
	config Config
	log    *slog.Logger
	loop   *loop.Loop

	threads *threads
	records *records
	chats   *chatMemory
	agents  *agents
	quotas  *quotas

	access    *access
	places    *places
	replies   *replies
	strangers *strangers

	forum     *forum
	deadlines *deadlines
	display   *display
	copies    *copies
	boxes     *boxes
	groups    *groups
	decisions *decisions

	outcomes    *outcomes
	permissions *permissions
	ownership   *ownership
	delivery    *delivery

	arrivals   *arrivals
	events     *events
	answers    *answers
	admissions *admissions
	intake     *intake
}

// New makes a Bridge.
func New(c Config) *Bridge {
	b := &Bridge{config: c, log: c.Log, loop: loop.New(grace, ErrStopped)}
	b.threads = newThreads()
	b.records = newRecords(c.Store, c.Log, b.loop, b.threads)
	b.chats = newChatMemory(b.records)
	b.agents = &agents{c.Agents}
	b.quotas = newQuotas(b.threads, c.Log, c.HeldBack)

	b.access = newAccess(c, b.chats)
	b.places = newPlaces(b.access, b.chats, b.threads)
	b.replies = newReplies(c)
	b.strangers = newStrangers(c, b.records, b.access, b.chats, b.replies)

	b.forum = newForum(c, b.loop, b.records, b.threads)
	b.deadlines = &deadlines{access: b.access, places: b.places, records: b.records, ttl: c.TTL, onExpiry: c.OnExpiry}
	b.display = &display{
		cards: c.Chat, messages: c.Chat, loop: b.loop, log: c.Log, threads: b.threads, records: b.records, chats: b.chats,
		access: b.access, places: b.places, forum: b.forum, deadlines: b.deadlines, moved: c.Moved,
		mute: map[question.ChatID]string{},
	}
	b.copies = &copies{
		cards: c.Chat, loop: b.loop, log: c.Log, threads: b.threads, records: b.records, display: b.display,
		reconcile: b.reconcile,
	}
	b.boxes = &boxes{
		chat: c.Chat, store: c.Store, loop: b.loop, log: c.Log, threads: b.threads, records: b.records, forum: b.forum,
		display: b.display, replies: b.replies, reconcile: b.reconcile,
	}
	b.groups = &groups{
		store: c.Store, log: c.Log, threads: b.threads, records: b.records, access: b.access, places: b.places,
		display: b.display, notifyDelay: c.NotifyDelay, reconcile: b.reconcile,
	}
	b.decisions = &decisions{
		log: c.Log, records: b.records, agents: b.agents, access: b.access, groups: b.groups, deadlines: b.deadlines,
		notifyDelay: c.NotifyDelay, reconcile: b.reconcile,
	}

	b.outcomes = &outcomes{log: c.Log, threads: b.threads, records: b.records, groups: b.groups, forum: b.forum, reconcile: b.reconcile}
	b.permissions = &permissions{threads: b.threads, agents: b.agents, outcomes: b.outcomes, reconcile: b.reconcile}
	b.ownership = &ownership{
		store: c.Store, log: c.Log, threads: b.threads, records: b.records, decisions: b.decisions, foreign: c.Foreign,
	}
	b.delivery = &delivery{
		loop: b.loop, log: c.Log, threads: b.threads, records: b.records, agents: b.agents, decisions: b.decisions,
		outcomes: b.outcomes, permissions: b.permissions, ownership: b.ownership,
		resolveAttempts: c.ResolveAttempts, resolveInterval: c.ResolveInterval, reconcile: b.reconcile,
	}

	b.arrivals = &arrivals{
		log: c.Log, threads: b.threads, records: b.records, chats: b.chats, quotas: b.quotas, access: b.access, places: b.places,
		deadlines: b.deadlines, display: b.display, groups: b.groups, decisions: b.decisions, permissions: b.permissions,
		notifyDelay: c.NotifyDelay, reconcile: b.reconcile,
	}
	b.events = &events{
		store: c.Store, log: c.Log, threads: b.threads, records: b.records, agents: b.agents, forum: b.forum, groups: b.groups,
		decisions: b.decisions, outcomes: b.outcomes, permissions: b.permissions, ownership: b.ownership, delivery: b.delivery,
		arrivals: b.arrivals, reconcile: b.reconcile,
	}
	b.answers = &answers{
		store: c.Store, log: c.Log, threads: b.threads, records: b.records, access: b.access, places: b.places,
		replies: b.replies, forum: b.forum, display: b.display, boxes: b.boxes, decisions: b.decisions, reconcile: b.reconcile,
	}
	b.admissions = &admissions{
		log: c.Log, threads: b.threads, records: b.records, chats: b.chats, access: b.access, places: b.places,
		replies: b.replies, strangers: b.strangers, display: b.display, decisions: b.decisions, reconcile: b.reconcile,
	}
	b.intake = newIntake(b, c)

	b.forum.reconcile, b.forum.foreign = b.reconcile, b.ownership.countForeign
	b.deadlines.decide, b.deadlines.sendNote, b.deadlines.reconcile = b.decisions.decide, b.display.sendNote, b.reconcile
	b.display.reconcile, b.display.sent = b.reconcile, b.intake.cardSent
	b.records.resume = func(l *live) { b.decisions.applyRule(l); b.reconcile(l) }
	b.records.latest, b.records.chatsStored = b.chats.latest, b.chats.limit
	b.chats.needed = b.places.neededChats
	b.access.changed = b.rulesChanged
	b.chats.forgotten = func(id question.ChatID) { delete(b.intake.albums, id); delete(b.display.mute, id) }
	return b
}

// grace is how long Run waits at its end for steps that are under way.
const grace = 5 * time.Second

// Run loads the records and keeps them reconciled until ctx ends. Its error is the
// store's; there is no other. Steps under way then get five seconds to finish, and
// their results are still kept; what those that take longer did is found out at the next
// start, as after a crash.
func (b *Bridge) Run(ctx context.Context) error {
	return b.loop.Run(ctx, b.load, b.end)
}

// end stops what would come later, and has the store offered once more what it did not take.
func (b *Bridge) end() {
	for _, l := range b.threads.byID {
		l.stopTimer()
	}
	b.records.flush()
	b.forum.flush()
	b.records.commitUnstored()
}

// ErrStopped is returned by what comes after Run has ended.
var ErrStopped = errors.New("the bridge has stopped")

func (b *Bridge) load() error {
	threads, err := b.config.Store.Threads()
	if err != nil {
		return err
	}
	chats, err := b.config.Store.Chats()
	if err != nil {
		return err
	}
	b.chats.load(chats)
	if b.access.paired, err = b.config.Store.Pairings(); err != nil {
		return err
	}
	topics, err := b.config.Store.Topics()
	if err != nil {
		return err
	}
	b.forum.load(topics)
	b.access.applyPairings()
	if err := b.strangers.load(); err != nil {
		return err
	}
	close(b.places.loaded)
	for _, t := range threads {
		reload(&t, b.agents.reachable(t))
		b.threads.add(t)
	}
	b.groups.repair()
	for _, l := range b.threads.byID {
		b.decisions.followRules(l)
		b.reconcile(l)
	}
	b.forum.start()
	return nil
}

// reload makes of a record what a new process may assume of it.
func reload(t *question.Thread, reachable bool) {
	switch {
	case reachable:
		t.Away = false
	case !t.Away:
		t.Leave(time.Now())
	}
	t.Postpone(time.Now().Add(breath))
	if t.Delivery.Begun && t.Delivery.Made == 0 {
		t.Delivery.Made = 1 // it may have been sent
	}
	for i := range t.Cards {
		t.Cards[i].Reloaded()
	}
}

// breath is how long people and OpenCode have, at least, after hermes was down: an
// answer may still be in the inbox or at Telegram, lost taps are to be made again,
// and links are to be opened anew.
const breath = 2 * time.Minute

// Lang is the language of the person who acted in the chat last; empty: nobody
// did. It never waits.
func (b *Bridge) Lang(id question.ChatID) string { return b.chats.lang(id) }
