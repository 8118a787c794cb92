package outbox

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"hermes/internal/chat"
	"hermes/internal/retry"
	"hermes/telegram/botapi"
)

// The pace of outgoing messages. Telegram's FAQ names one a second in a chat
// (with bursts), 20 a minute in a group and 30 a second in all.
const (
	chatBurst   = 3
	groupMinute = 20
)

// The pace of a card's first edit, which waits for no pace of messages until Telegram has refused something in the chat: so many at
// once, and then one each second, or in a group each three. Telegram counts edits like messages, and does
// not say how many more of them it takes.
const (
	editBurst      = 10
	editEvery      = time.Second
	editEveryGroup = 3 * time.Second
)

// What of it notes and live messages may use. The rest is kept for cards: what is asked,
// what changes there, and how it ends.
const (
	noteBurst  = 2
	noteMinute = 12
)

// MaxReplies is how many replies to what people wrote may wait in a chat. Further ones
// fail with Full. What hermes owes, such as the end of a turn, may always wait.
const MaxReplies = 100

// liveSettle is how long after a change it is shown at the earliest: much comes at once.
const liveSettle = 300 * time.Millisecond

// Lane says what goes first in a chat. Notes keep their order, and so do live messages.
type Lane int

// The lanes, the first first.
const (
	Cards Lane = iota // what is asked: shown, changed, ended, reminded of
	Notes             // all other messages
	Live              // live messages
	lanes             // how many there are
)

// Kind is what Telegram counts a call as.
type Kind int

// The kinds. A turn for one is good for each that comes after it.
const (
	Message Kind = iota // a new message, or an edit that keeps the pace of one
	Edit                // the first edit of a card
	Free                // nothing
)

// Job is one thing to do in a chat.
type Job struct {
	Run    func(ctx context.Context, c *Chat, err error) // err: why it may not run
	First  Kind                                          // of its first call
	Reply  bool                                          // see MaxReplies
	Source string                                        // of a card: sources take turns
	Ask    bool                                          // a card that nobody has seen yet: it goes before all that other chats have to send
}

// Outbox holds a queue for each chat. A chat without work has no goroutine. All methods
// may be called concurrently.
type Outbox struct {
	mu     sync.Mutex
	chats  map[chat.ID]*queue
	came   uint64 // how many jobs ever did
	places [ranks]*rate.Limiter
	floods floods

	heldFor map[Reason]time.Duration // see Held; guarded by mu

	// calls is what calls run under: it outlives whatever brings updates in.
	calls    context.Context
	cancel   context.CancelFunc
	stopping chan struct{}
	stop     sync.Once
	running  sync.WaitGroup
}

// New returns an Outbox with nothing to do.
func New() *Outbox {
	o := &Outbox{
		chats: map[chat.ID]*queue{}, places: newPlaces(), floods: floods{row: map[chat.ID]bool{}},
		stopping: make(chan struct{}), heldFor: map[Reason]time.Duration{},
	}
	o.calls, o.cancel = context.WithCancel(context.Background())
	return o
}

// Calls is the context that calls run under: it ends with the Outbox.
func (o *Outbox) Calls() context.Context { return o.calls }

// Close lets calls that are under way end, until ctx is done, then cuts them
// off. What is queued gets a Stopping error and is not done.
func (o *Outbox) Close(ctx context.Context) error {
	o.mu.Lock()
	o.stop.Do(func() { close(o.stopping) })
	o.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		o.running.Wait()
		close(ended)
	}()
	defer o.cancel()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		o.cancel()
		<-ended
		return ctx.Err()
	}
}

// Closed reports whether Close was called.
func (o *Outbox) Closed() bool {
	select {
	case <-o.stopping:
		return true
	default:
		return false
	}
}

// Go runs f beside the queues, unless the Outbox is closed. It reports whether it does.
func (o *Outbox) Go(f func()) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.Closed() {
		return false
	}
	o.running.Go(f)
	return true
}

// Enqueue adds a job to the chat's queue and starts its goroutine if none runs. It never
// blocks. The job runs once, in another goroutine.
func (o *Outbox) Enqueue(id chat.ID, l Lane, j Job) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.Closed() {
		go j.Run(o.calls, nil, stoppingError())
		return
	}
	q := o.chat(id)
	if j.Reply && q.count(func(j *job) bool { return j.Reply && !j.begun }) >= MaxReplies {
		go j.Run(o.calls, nil, &botapi.Error{Op: "send", Reason: botapi.Full, Detail: "too many messages wait in the chat"})
		return
	}
	o.came++
	q.add(&job{Job: j, lane: l, came: o.came, kind: j.First, turn: make(chan error)})
	if !q.working {
		q.working = true
		o.running.Go(q.serve)
	}
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func stoppingError() *botapi.Error { return &botapi.Error{Op: "send", Reason: botapi.Stopping} }

// ReserveLiveEdit takes the chat's next place for an edit of a live message of this age, and returns how long to wait for it.
func (o *Outbox) ReserveLiveEdit(id chat.ID, age time.Duration) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	q, every, now := o.chat(id), liveEvery(id, age), time.Now()
	if q.slowUntil.After(now) {
		every *= 2
	}
	q.lastLive = retry.Later(now.Add(liveSettle), q.lastLive.Add(every))
	return q.lastLive.Sub(now)
}

// liveEvery is how often a live message is edited. Edits count as messages, and at least half of what a chat may have is left to what
// is asked there. Bots that edit every two seconds for minutes are told to wait for minutes, so the pace grows with the turn.
func liveEvery(id chat.ID, age time.Duration) time.Duration {
	every := 10 * time.Second
	switch {
	case age < 30*time.Second:
		every = 2 * time.Second
	case age < 2*time.Minute:
		every = 3 * time.Second
	case age < 10*time.Minute:
		every = 5 * time.Second
	}
	if id < 0 {
		every = max(every, 6*time.Second)
	}
	return every
}

// chat returns the chat, made if needed. Called with mu held.
func (o *Outbox) chat(id chat.ID) *queue {
	q := o.chats[id]
	if q == nil {
		o.forgetIdleChats()
		q = newQueue(o, id)
		o.chats[id] = q
	}
	return q
}

// forgetIdleChats forgets chats that have nothing to remember, when there are many.
func (o *Outbox) forgetIdleChats() {
	if len(o.chats) < 1000 {
		return
	}
	now := time.Now()
	for id, q := range o.chats {
		rested := q.pace.TokensAt(now) >= chatBurst && (q.minute == nil || q.minute.isRested(now))
		if !q.working && rested && !q.slowUntil.After(now) {
			delete(o.chats, id)
		}
	}
}

// slowFor is how long a chat that was told to wait gets less than before.
const slowFor = 24 * time.Hour

// noteFlood keeps the chat silent for as long as Telegram said. One that a card did not cause lets one ask try: Telegram does not say what
// it counted. The jitter keeps chats from returning at once.
func (o *Outbox) noteFlood(q *queue, l Lane, wait time.Duration) {
	now := time.Now()
	o.mu.Lock()
	defer o.mu.Unlock()
	q.parked = now.Add(wait + rand.N(time.Second))
	q.parkedCards, q.mayTry = q.parked, l != Cards
	q.slowUntil = q.parked.Add(slowFor)
	o.floods.noteFlood(q.id, wait, now)
}

// noteTaken notes that Telegram took a message.
func (o *Outbox) noteTaken(q *queue, l Lane) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if l == Cards {
		q.parkedCards = time.Time{}
	}
	o.floods.noteTaken()
}
