package bridge

import (
	"context"
	"log/slog"
	"strings"
	"sync"
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
// Recognize, Take, Home, Current, Moves and GroupMoved are for the loop; the other methods may be called concurrently, but not
// from the loop, and wait while that does not run.
//
// All that it knows is here; each file is about one thing that it does.
type Bridge struct {
	config Config
	log    *slog.Logger
	loop   *loop.Loop

	threads *threads              // the asks that have not ended, or for which something is still to be done
	decided []*liveThread         // retired ones whose decision may settle another ask
	waits   *waits                // when asks of sessions waited for people
	known   map[chat.ID]chat.Chat // what is remembered of chats; the store has the same
	langs   sync.Map              // chat.ID → string, the language of each, read beside the loop
	crowd   int                   // more chats than these are looked through for those to forget
	access  *access               // the rules in force, and who was let in by invitation
	homes   homes                 // the chats that hermes is set up for
	forum   *forum.Forum          // the topics of sessions
	quotas  *quotas               // how much each machine asks
	mute    map[chat.ID]string    // why a chat did not take the last card, as logged
	retries pace.Each[chat.ID]    // of what a chat refused, as something came from there
	linkURL string                // at which machines reach hermes, several with commas between; empty: not known
	telling map[question.ID]bool  // the codes whose owners are told of their link, or were, since the start
	albums  map[chat.ID]string    // the last one in each chat that was answered with a note

	replies   pace.People // to what people on the list write
	refusals  pace.People // of what they forwarded
	named     namedStrangers
	greetings pace.People // of strangers, as if they were one person
	greeted   pace.People // the same, in a day
}

// New makes a Bridge.
func New(c Config) *Bridge {
	if c.Sending == nil {
		c.Sending = func(chat.ID) func() { return func() {} }
	}
	if c.Skew == nil {
		c.Skew = func() time.Duration { return 0 }
	}
	for _, told := range []*func(){&c.Strange, &c.Skipped, &c.HeldBack, &c.Foreign} {
		if *told == nil {
			*told = func() {}
		}
	}
	if c.Moved == nil {
		c.Moved = func(chat.ID, chat.ID) {}
	}
	b := &Bridge{
		config: c, log: c.Log, loop: c.Loop, threads: newThreads(), waits: newWaits(),
		known: map[chat.ID]chat.Chat{}, crowd: maxSpare, mute: map[chat.ID]string{},
		linkURL: strings.Join(c.PublicURLs, ","), telling: map[question.ID]bool{}, albums: map[chat.ID]string{},
		retries: pace.Each[chat.ID]{Burst: 3, Every: retryEvery},
		replies: pace.People{Burst: replyBurst, Every: replyEvery}, refusals: pace.People{Burst: 1, Every: refuseEvery},
		greetings: pace.People{Burst: greetBurst, Every: greetEvery}, greeted: pace.People{Burst: greetDaily, Every: 24 * time.Hour / greetDaily},
	}
	b.quotas = newQuotas(b.threads, c.Log, c.HeldBack)
	b.access = &access{
		damaged: c.Damaged, owners: c.Owners, base: c.Rules, rules: c.Rules, current: b.Current, changed: b.rulesChanged,
	}
	b.forum = forum.New(forum.Config{
		Maker: c.Forum, Threads: topicThreads{b}, Commit: b.commit, Foreign: c.Foreign, Loop: b.loop, Log: c.Log,
	})
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
	for _, c := range chats {
		b.putChat(c)
	}
	if b.access.paired, err = b.config.Store.Pairings(); err != nil {
		return err
	}
	topics, err := b.config.Store.Topics()
	if err != nil {
		return err
	}
	b.forum.Load(topics)
	b.access.applyPairings()
	if err := b.loadStrangers(); err != nil {
		return err
	}
	for _, t := range threads {
		reload(&t, b.reachable(t))
		b.waits.note(t, t)
		b.threads.add(t)
	}
	b.repairGroups()
	for _, l := range b.threads.byID {
		b.followRules(l)
		b.reconcile(l)
	}
	b.forum.Start()
	return b.tellAllLinked()
}

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
	b.updateHomes()
	for _, l := range b.threads.byID {
		b.followRules(l)
	}
}

// Prune forgets the chats that nothing has been heard of since this time, but for those
// that hermes needs, and topics that were closed before it, not used for long, or are too
// many. The error is ctx's, or loop.ErrEnded.
func (b *Bridge) Prune(ctx context.Context, before time.Time) error {
	return b.loop.Do(ctx, func() {
		b.forgetChats(b.spareChats(before))
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
				b.saveThread(l)
				b.reconcile(l)
			}
		}
	})
}

// Event takes in what OpenCode said, and returns when that is stored, or the loop has
// ended: what is lost then is listed again at the next start.
func (b *Bridge) Event(e event.Event) {
	_ = b.loop.Do(context.Background(), func() { b.takeEvent(e) })
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
		b.showCard(l, s.Card)
	case question.Boxes:
		b.sendDueBoxes(l, s.Card)
	case question.Remind:
		b.remind(l)
	case question.Release:
		b.endClaim(l)
	case question.Widen:
		b.escalate(l)
	case question.Resolve:
		b.runStep(l, b.resolve)
	case question.Check:
		b.runStep(l, b.check)
	case question.Deliver:
		if l.Request.Admission != nil {
			b.carryOutAdmission(l)
			return
		}
		b.markBegun(l)
		if l.reported != nil {
			b.runStep(l, b.check)
			return
		}
		b.runStep(l, b.deliver)
	case question.Confirm:
		b.runStep(l, b.check)
	case question.EndHold:
		b.endHold(l)
	case question.Expire:
		b.expire(l)
	case question.GiveUp:
		b.settle(l, question.Outcome{Kind: question.OutcomeUnknown})
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
	if b.waitsForOthers(l) || l.hasBoxSteps() || len(l.sending) > 0 {
		return
	}
	b.commit(storage.Change{Retired: []question.Thread{l.Clone()}})
	l.stopTimer()
	delete(b.threads.byID, l.ID)
	b.rememberDecision(l)
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
