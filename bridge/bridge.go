package bridge

import (
	"context"
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
	"hermes/internal/storage"
)

// Bridge keeps the records reconciled. Make it with New, and begin its loop with Start. Start, End,
// Recognize, Take, Home, Current and GroupMoved are for the loop; the other methods may be called concurrently, but not
// from the loop, and wait while that does not run.
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
	boxes     *boxes
	groups    *groups
	decisions *decisions
	holds     *holds

	outcomes    *outcomes
	permissions *permissions
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
	if c.Skew == nil {
		c.Skew = func() time.Duration { return 0 }
	}
	b := &Bridge{config: c, log: c.Log, loop: c.Loop}
	b.threads = newThreads()
	b.records = &records{store: c.Store, loop: b.loop, threads: b.threads}
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
		retries: pace.Each[chat.ID]{Burst: 3, Every: retryEvery},
	}
	b.boxes = &boxes{engine: e, chat: c.Chat, store: c.Store, forum: b.forum, display: b.display, replies: b.replies}
	b.groups = &groups{
		engine: e, store: c.Store, access: b.access, places: b.places, notifyDelay: c.NotifyDelay,
	}
	b.decisions = &decisions{
		engine: e, agents: b.agents, access: b.access, groups: b.groups, deadlines: b.deadlines, notifyDelay: c.NotifyDelay,
	}

	b.holds = &holds{
		engine: e, agents: b.agents, access: b.access, groups: b.groups, decisions: b.decisions, undo: c.Undo,
	}
	b.outcomes = &outcomes{engine: e, access: b.access, groups: b.groups, forum: b.forum, waits: newWaits()}
	b.permissions = &permissions{engine: e, agents: b.agents, outcomes: b.outcomes}
	b.delivery = &delivery{
		engine: e, agents: b.agents, decisions: b.decisions, outcomes: b.outcomes, permissions: b.permissions,
		resolveAttempts: c.ResolveAttempts, resolveInterval: c.ResolveInterval,
	}

	b.arrivals = &arrivals{
		engine: e, chats: b.chats, quotas: b.quotas, access: b.access, places: b.places, deadlines: b.deadlines,
		display: b.display, groups: b.groups, decisions: b.decisions, permissions: b.permissions, notifyDelay: c.NotifyDelay,
		context: c.Context,
	}
	b.events = &events{
		engine: e, store: c.Store, agents: b.agents, forum: b.forum, groups: b.groups, decisions: b.decisions,
		outcomes: b.outcomes, permissions: b.permissions, delivery: b.delivery, arrivals: b.arrivals,
	}
	b.addressing = &addressing{engine: e, store: c.Store, access: b.access, boxes: b.boxes, skew: c.Skew}
	b.answers = &answers{
		engine: e, addressing: b.addressing, store: c.Store, access: b.access, places: b.places, replies: b.replies, forum: b.forum,
		display: b.display, boxes: b.boxes, decisions: b.decisions, holds: b.holds,
	}
	b.admissions = &admissions{
		engine: e, chats: b.chats, access: b.access, places: b.places, replies: b.replies, strangers: b.strangers,
		display: b.display, decisions: b.decisions, skew: c.Skew,
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
	b.deadlines.decide, b.deadlines.sendNote, b.deadlines.sendBox = b.decisions.decide, b.display.sendNote, b.boxes.sendBox
	b.records.chatsStored = b.chats.limit
	b.chats.needed = b.places.neededChats
	b.access.changed = b.rulesChanged
	b.chats.forgotten = func(id chat.ID) { delete(b.recipients.albums, id); delete(b.display.mute, id) }
	return b
}

// End stops what would come later.
func (b *Bridge) End() {
	for _, l := range b.threads.byID {
		l.stopTimer()
	}
}

// Start loads the records and begins what they need. Its error is the store's; there is no other.
func (b *Bridge) Start() error {
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
	for _, t := range threads {
		reload(&t, b.agents.reachable(t))
		b.outcomes.waits.note(t, t)
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
// already; where that is shown stays. Guests stay too. The error is ctx's, or loop.ErrEnded.
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
// many. The error is ctx's, or loop.ErrEnded.
func (b *Bridge) Prune(ctx context.Context, before time.Time) error {
	return b.loop.Do(ctx, func() {
		b.chats.forget(b.chats.spareChats(before))
		b.forum.Prune(before)
	})
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

// confirmPause is when hermes looks for the proof itself, if no event brought it.
const confirmPause = 150 * time.Millisecond

// reconcile starts what the thread needs now and is not under way, and sets a timer for
// when it needs the next thing.
func (b *Bridge) reconcile(l *liveThread) {
	if !b.loop.Running() || b.threads.byID[l.ID] != l {
		return
	}
	steps, _ := l.Next(time.Now())
	for _, s := range steps {
		b.startStep(l, s)
	}
	if b.threads.byID[l.ID] != l {
		return // retired
	}
	_, wake := l.Next(time.Now()) // a step may have changed it
	l.stopTimer()
	if !wake.IsZero() {
		l.timer = b.loop.After(time.Until(wake), func() { b.reconcile(l) })
	}
}

func (b *Bridge) startStep(l *liveThread, s question.Step) {
	switch s.Kind {
	case question.Show, question.Refresh:
		b.display.showCard(l, s.Card)
	case question.Boxes:
		b.boxes.sendDue(l, s.Card)
	case question.Remind:
		b.deadlines.remind(l)
	case question.Release:
		b.deadlines.endClaim(l)
	case question.Widen:
		b.deadlines.escalate(l)
	case question.Resolve:
		b.delivery.runStep(l, b.delivery.resolve)
	case question.Check:
		b.delivery.runStep(l, b.delivery.check)
	case question.Deliver:
		if l.Request.Admission != nil {
			b.admissions.carryOut(l)
			return
		}
		b.delivery.markBegun(l)
		if l.reported != nil {
			b.delivery.runStep(l, b.delivery.check)
			return
		}
		b.delivery.runStep(l, b.delivery.deliver)
	case question.Confirm:
		b.delivery.runStep(l, b.delivery.check)
	case question.EndHold:
		b.holds.end(l)
	case question.Expire:
		b.deadlines.expire(l)
	case question.GiveUp:
		b.outcomes.settle(l, question.Outcome{Kind: question.OutcomeUnknown})
	case question.Retire:
		b.retire(l)
	}
}

// reload makes of a record what a new process may assume of it.
func reload(t *question.Thread, reachable bool) {
	switch {
	case reachable:
		t.Away = false
	case !t.Away:
		t.Leave(time.Now())
	}
	t.Postpone(time.Now().Add(restartPause))
	t.PostponeHold(time.Now().Add(undoPause))
	if t.Delivery.Begun && t.Delivery.Made == 0 {
		t.Delivery.Made = 1 // it may have been sent
	}
	for i, c := range t.Cards {
		if c.Refused != "" {
			t.Cards[i].Tries.Next = time.Time{} // what a chat did not take is tried at once
		}
	}
}

// restartPause is how long people and OpenCode have, at least, after hermes was down: an
// answer may still be in the inbox or at Telegram, people must repeat lost taps, and
// links must be opened again.
const restartPause = 2 * time.Minute

// retire ends the work on a thread to which nothing is owed. It can still be found in
// the store, for late taps and replies.
func (b *Bridge) retire(l *liveThread) {
	if b.groups.waitsForOthers(l) || l.hasBoxSteps() || len(l.sending) > 0 {
		return
	}
	b.records.commit(storage.Change{Retired: []question.Thread{l.Clone()}})
	l.stopTimer()
	delete(b.threads.byID, l.ID)
	b.outcomes.remember(l)
	b.threads.unindex(l)
	b.forum.CloseIdle(l.Place.Root)
}

// Backlog is what waits now, for those who watch hermes. Admissions are left out, as in Open.
type Backlog struct {
	Asks       map[question.Stage]int // every stage is there
	Away       int                    // of those that have not ended: their OpenCode cannot be reached
	Unseen     time.Duration          // how long the oldest ask that no chat shows ought to be shown; 0: there is none
	Unanswered time.Duration          // how long ago the oldest open ask was asked; 0: there is none
	Owed       time.Duration          // how long the oldest decision has been owed to OpenCode; 0: none is
}

// Backlog counts what is in memory: it reads nothing from the store, and copies no thread. The error is ctx's, or loop.ErrEnded.
func (b *Bridge) Backlog(ctx context.Context) (Backlog, error) {
	log := Backlog{Asks: map[question.Stage]int{}}
	for _, s := range question.Stages() {
		log.Asks[s] = 0
	}
	err := b.loop.Do(ctx, func() {
		now := time.Now()
		for _, l := range b.threads.byID {
			if l.Request.Admission == nil {
				log.add(l.Thread, b.stageOf(l), now)
			}
		}
	})
	return log, err
}

// stageOf is the thread's stage; a thread that another leads is shown where that is.
func (b *Bridge) stageOf(l *liveThread) question.Stage {
	leader := b.threads.byID[l.Leader]
	if stage := l.Stage(); stage != question.StageUnseen || leader == nil || !leader.Shown() {
		return stage
	}
	return question.StageShown
}

func (b *Backlog) add(t question.Thread, stage question.Stage, now time.Time) {
	b.Asks[stage]++
	if t.Away && stage != question.StageEnded {
		b.Away++
	}
	if t.Open() {
		b.Unanswered = max(b.Unanswered, now.Sub(t.Asked))
	}
	switch stage {
	case question.StageUnseen:
		b.Unseen = max(b.Unseen, now.Sub(t.DueSince()))
	case question.StageDeciding:
		b.Owed = max(b.Owed, now.Sub(t.OwedSince()))
	case question.StageShown, question.StageHeld, question.StageEnded:
	}
}
