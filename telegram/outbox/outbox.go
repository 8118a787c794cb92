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
	perSecond   = 25
)

// What of it notes and live messages may use. The rest is kept for cards: what is asked,
// what changes there, and how it ends.
const (
	noteBurst      = 2
	noteMinute     = 12
	notesPerSecond = 15
)

// MaxReplies is how many replies to what people wrote may wait in a chat. Further ones
// fail with Full. What hermes owes, such as the end of a turn, may always wait.
const MaxReplies = 100

// How often a live message is edited. Edits count as messages (Bot API FAQ: one a
// second, twenty a minute in a group), and at least half of what a chat may have is left
// to what is asked there.
const (
	liveEvery      = 2 * time.Second
	liveEveryGroup = 6 * time.Second
)

// liveSettle is how long after a change it is shown at the earliest: much comes at once.
const liveSettle = 300 * time.Millisecond

// Job is one thing to do in a chat.
type Job struct {
	Run    func(ctx context.Context, c *Chat, err error) // gets nil if it may run, or why it cannot; c is then nil
	Free   bool                                          // Telegram does not count its calls as messages
	Reply  bool                                          // see MaxReplies
	Source string                                        // of a card: those of one source keep their order
	Ask    bool                                          // a card that nobody has seen yet: it goes before all that other chats have to send
}

// Outbox holds a queue for each chat. A chat without work has no goroutine. All methods
// may be called concurrently.
type Outbox struct {
	mu     sync.Mutex
	chats  map[chat.ID]*Chat
	places places
	notes  *rate.Limiter // notes and live messages of all chats
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
		chats: map[chat.ID]*Chat{}, places: newPlaces(), floods: floods{row: map[chat.ID]bool{}},
		notes: rate.NewLimiter(notesPerSecond, notesPerSecond), stopping: make(chan struct{}),
		heldFor: map[Reason]time.Duration{},
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
	c := o.chat(id)
	if j.Reply {
		if c.replies >= MaxReplies {
			go j.Run(o.calls, nil, &botapi.Error{Op: "send", Reason: botapi.Full, Detail: "too many messages wait in the chat"})
			return
		}
		c.replies++
	}
	if j.Ask {
		c.asks++
	}
	c.jobs[l] = append(c.jobs[l], j)
	if !c.working {
		c.working = true
		o.running.Go(c.serve)
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

func stoppingError() *botapi.Error { return &botapi.Error{Op: "send", Reason: botapi.Stopping} }

// ReserveLiveEdit takes the chat's next place for an edit of a live message, and returns
// how long to wait for it.
func (o *Outbox) ReserveLiveEdit(id chat.ID) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	c, every := o.chat(id), liveEvery
	if id < 0 {
		every = liveEveryGroup
	}
	now := time.Now()
	at := retry.Later(now.Add(liveSettle), c.nextLive)
	c.nextLive = at.Add(every)
	return at.Sub(now)
}

// chat returns the chat, made if needed. Called with mu held.
func (o *Outbox) chat(id chat.ID) *Chat {
	c := o.chats[id]
	if c == nil {
		o.forgetIdleChats()
		c = newChat(o, id)
		o.chats[id] = c
	}
	return c
}

// forgetIdleChats forgets chats that have nothing to remember, when there are many.
func (o *Outbox) forgetIdleChats() {
	if len(o.chats) < 1000 {
		return
	}
	now := time.Now()
	for id, c := range o.chats {
		rested := c.pace.TokensAt(now) >= chatBurst && (c.minute == nil || c.minute.isRested(now))
		if !c.working && rested && !c.parked.After(now) {
			delete(o.chats, id)
		}
	}
}

// noteFlood keeps the chat silent for as long as Telegram said. The jitter keeps chats from returning at once.
func (o *Outbox) noteFlood(c *Chat, wait time.Duration) {
	now := time.Now()
	o.mu.Lock()
	defer o.mu.Unlock()
	c.parked = now.Add(wait + rand.N(time.Second))
	o.floods.noteFlood(c.id, wait, now)
	o.places.wake()
}

// noteTaken notes that Telegram took a message.
func (o *Outbox) noteTaken() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.floods.noteTaken() {
		o.places.wake()
	}
}
