package bridge

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"hermes/bridge/internal/forum"
	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/loop"
	"hermes/internal/pace"
	"hermes/internal/policy"
	"hermes/internal/question"
)

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

	forum     *forum.Forum
	deadlines *deadlines
	display   *display
	copies    *copies
	boxes     *boxes
	groups    *groups
	decisions *decisions
	holds     *holds

	outcomes    *outcomes
	permissions *permissions
	ownership   *ownership
	delivery    *delivery

	arrivals   *arrivals
	events     *events
	addressing *addressing
	answers    *answers
	admissions *admissions
	machines   *machines
	recipients *recipients
}

// New makes a Bridge.
func New(c Config) *Bridge {
	if c.Sending == nil {
		c.Sending = func(chat.ID) func() { return func() {} }
	}
	if c.Moved == nil {
		c.Moved = func(chat.ID, chat.ID) {}
	}
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

	e := &engine{loop: b.loop, log: c.Log, threads: b.threads, records: b.records, reconcile: b.reconcile}
	foreign := func() {
		if c.Foreign != nil {
			c.Foreign()
		}
	}
	b.forum = forum.New(forum.Config{
		Maker: c.Forum, Threads: topicThreads{e}, Commit: b.records.commit, Foreign: foreign, Loop: b.loop, Log: c.Log,
	})
	b.deadlines = &deadlines{access: b.access, places: b.places, records: b.records, ttl: c.TTL, onExpiry: c.OnExpiry, reconcile: b.reconcile}
	b.display = &display{
		engine: e, cards: c.Chat, messages: c.Chat, chats: b.chats, access: b.access, places: b.places, forum: b.forum,
		deadlines: b.deadlines, sending: c.Sending, moved: c.Moved, mute: map[chat.ID]string{},
		retries: pace.Each[chat.ID]{Burst: 3, Every: 20 * time.Second},
	}
	b.copies = &copies{engine: e, cards: c.Chat, display: b.display}
	b.boxes = &boxes{engine: e, chat: c.Chat, store: c.Store, forum: b.forum, display: b.display, replies: b.replies}
	b.groups = &groups{
		engine: e, store: c.Store, access: b.access, places: b.places, display: b.display, notifyDelay: c.NotifyDelay,
	}
	b.decisions = &decisions{
		engine: e, agents: b.agents, access: b.access, groups: b.groups, deadlines: b.deadlines, notifyDelay: c.NotifyDelay,
	}

	b.holds = &holds{
		engine: e, agents: b.agents, access: b.access, groups: b.groups, decisions: b.decisions, undo: c.Undo,
	}
	b.outcomes = &outcomes{engine: e, access: b.access, groups: b.groups, forum: b.forum}
	b.permissions = &permissions{engine: e, agents: b.agents, outcomes: b.outcomes}
	b.ownership = &ownership{engine: e, store: c.Store, decisions: b.decisions, foreign: foreign}
	b.delivery = &delivery{
		engine: e, agents: b.agents, decisions: b.decisions, outcomes: b.outcomes, permissions: b.permissions,
		ownership: b.ownership, resolveAttempts: c.ResolveAttempts, resolveInterval: c.ResolveInterval,
	}

	b.arrivals = &arrivals{
		engine: e, chats: b.chats, quotas: b.quotas, access: b.access, places: b.places, deadlines: b.deadlines,
		display: b.display, groups: b.groups, decisions: b.decisions, permissions: b.permissions, notifyDelay: c.NotifyDelay,
		context: c.Context,
	}
	b.events = &events{
		engine: e, store: c.Store, agents: b.agents, forum: b.forum, groups: b.groups, decisions: b.decisions,
		outcomes: b.outcomes, permissions: b.permissions, ownership: b.ownership, delivery: b.delivery, arrivals: b.arrivals,
	}
	b.addressing = &addressing{engine: e, store: c.Store, access: b.access, boxes: b.boxes}
	b.answers = &answers{
		engine: e, addressing: b.addressing, store: c.Store, access: b.access, places: b.places, replies: b.replies, forum: b.forum,
		display: b.display, boxes: b.boxes, decisions: b.decisions, holds: b.holds,
	}
	b.admissions = &admissions{
		engine: e, chats: b.chats, access: b.access, places: b.places, replies: b.replies, strangers: b.strangers,
		display: b.display, decisions: b.decisions,
	}
	b.machines = &machines{
		engine: e, store: c.Store, access: b.access, places: b.places, replies: b.replies, messages: c.Chat, url: strings.Join(c.PublicURLs, ","),
		telling: map[question.ID]bool{},
	}
	b.recipients = &recipients{
		records: b.records, chats: b.chats, places: b.places, replies: b.replies, strangers: b.strangers, display: b.display,
		answers: b.answers, admissions: b.admissions, machines: b.machines, find: b.liveOrRetired,
		refusals: pace.People{Burst: 1, Every: refuseEvery}, albums: map[chat.ID]string{},
	}

	// What a part tells those above it.
	b.groups.followRules = b.decisions.followRules
	b.deadlines.decide, b.deadlines.sendNote = b.decisions.decide, b.display.sendNote
	b.records.resume = func(l *liveThread) { b.decisions.applyRule(l); b.reconcile(l) }
	b.records.latest, b.records.chatsStored = b.chats.latest, b.chats.limit
	b.chats.needed = b.places.neededChats
	b.access.changed = b.rulesChanged
	b.chats.forgotten = func(id chat.ID) { delete(b.recipients.albums, id); delete(b.display.mute, id) }
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
	b.forum.Flush()
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
	b.forum.Load(topics)
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
	b.forum.Start()
	return b.machines.tellAll()
}

// Lang is the language of the person who acted in the chat last; empty: nobody
// did. It never waits.
func (b *Bridge) Lang(id chat.ID) string { return b.chats.lang(id) }

// SetRules exchanges the rules. Rights change at once, also for what is asked
// already; where that is shown stays. Guests stay too. The error is ctx's, or ErrStopped.
func (b *Bridge) SetRules(ctx context.Context, rules *policy.Ruleset) error {
	return b.loop.Do(ctx, func() {
		b.access.base = rules
		b.access.applyPairings()
	})
}

// rulesChanged has everything follow the rules that are in force from now on.
func (b *Bridge) rulesChanged() {
	b.places.updateHomes()
	for _, l := range b.threads.byID {
		b.decisions.followRules(l)
	}
}

// Prune forgets the chats that nothing has been heard of since this time, but for those
// that hermes needs, and topics that were closed before it, not used for long, or are too
// many. The error is the store's: then what was not forgotten there is loaded, and pruned,
// after a restart.
func (b *Bridge) Prune(ctx context.Context, before time.Time) error {
	var err error
	failed := b.loop.Do(ctx, func() {
		err = errors.Join(b.chats.forget(b.chats.spareChats(before)), b.forum.Prune(before))
	})
	return cmp.Or(failed, err)
}

// Offline is called when Telegram is there again after an outage that outlived
// the taps which wait there (150 s): open cards then say that taps are gone.
func (b *Bridge) Offline(ctx context.Context, d time.Duration) {
	_ = b.loop.Do(ctx, func() {
		for _, l := range b.threads.byID {
			if l.Open() && l.Shown() {
				l.Thread.Offline = d
				l.Rev++
				b.records.saveThread(l)
				b.reconcile(l)
			}
		}
	})
}

// Event takes in what OpenCode said, and returns when that is stored, or Run has
// ended: what is lost then is listed again at the next start.
func (b *Bridge) Event(e event.Event) {
	_ = b.loop.Do(context.Background(), func() { b.events.takeEvent(e) })
}
