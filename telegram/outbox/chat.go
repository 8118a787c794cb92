package outbox

import (
	"context"
	"errors"
	"slices"
	"time"

	"golang.org/x/time/rate"

	"hermes/internal/chat"
	"hermes/telegram/botapi"
)

// Lane says what goes first in a chat. The jobs of one lane keep their order, except that the sources of
// cards take turns.
type Lane int

// The lanes, the first first.
const (
	Cards Lane = iota // what is asked: shown, changed, ended, reminded of
	Notes             // all other messages
	Live              // live messages
	lanes             // how many there are
)

// Chat is the queue of one chat, for the job that runs. The fields below the first blank
// line, up to those of the goroutine, are guarded by Outbox.mu.
type Chat struct {
	out        *Outbox
	id         chat.ID
	pace       *rate.Limiter
	minute     *window       // groups only
	notePace   *rate.Limiter // what of pace notes and live messages may use
	noteWindow *window       // and of minute; groups only

	jobs     [lanes][]Job
	sources  sources
	replies  int           // how many of the notes are replies
	asks     int           // how many of the cards are asks that nobody has seen yet
	wake     chan struct{} // has a value when a job was added
	working  bool
	parked   time.Time // nothing is sent before
	nextLive time.Time // a live message is edited no sooner

	held      Reason // what holds it up now; empty: nothing
	heldSince time.Time

	rank        rank          // of the call that it waits to make
	lastPlace   uint64        // number of the last place that it had among all chats; 0: none
	placedAfter int           // how many waits of all chats there had been then
	place       chan struct{} // has a value when it has the next one

	// For the chat's goroutine alone.
	lane    Lane    // of the job that runs
	source  *source // of the card that it is about; nil for another job
	asking  bool    // it is an ask that nobody has seen yet
	paid    bool    // the turn for the next call was taken, of what the chat may have
	placed  bool    // and of what all chats may have
	cleared bool    // and, for a note, its part of what notes may use
}

func newChat(o *Outbox, id chat.ID) *Chat {
	c := &Chat{
		out: o, id: id, pace: rate.NewLimiter(1, chatBurst), notePace: rate.NewLimiter(1, noteBurst),
		wake: make(chan struct{}, 1), place: make(chan struct{}, 1), sources: sources{byName: map[string]*source{}, group: id < 0},
	}
	if id < 0 {
		c.minute, c.noteWindow = newWindow(groupMinute), newWindow(noteMinute)
	}
	return c
}

// ID is the chat's.
func (c *Chat) ID() chat.ID { return c.id }

// Call waits for the chat's turn and makes one call, for timeout at most. A flood wait parks
// the chat.
func (c *Chat) Call(ctx context.Context, timeout time.Duration, call func(context.Context) error) error {
	if err := c.awaitTurn(c.lane); err != nil {
		return err
	}
	c.CountCall()
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := call(ctx)
	if err == nil {
		c.out.noteTaken()
	}
	c.HeedFlood(err)
	return err
}

// HeedFlood keeps the chat silent where a call failed with a flood wait.
func (c *Chat) HeedFlood(err error) {
	var e *botapi.Error
	if errors.As(err, &e) && e.Reason == botapi.Flood {
		c.out.noteFlood(c, e.RetryAfter)
	}
}

// serve works until the queue is empty: cards first, live messages last. A job is looked
// at only when its first call may be made: what changes meanwhile is then in it, and what
// goes before it may have come.
func (c *Chat) serve() {
	for {
		l, ok := c.firstLane()
		if !ok {
			return
		}
		if c.nextJob(l) == nil && !c.out.Closed() { // the sources of all cards have had their share
			c.awaitSource()
			continue
		}
		err := c.awaitFirstCall(l)
		if l != Cards {
			l, _ = c.firstLane()
		}
		c.runNext(l, err)
	}
}

// serveCards does what waits in the first lane.
func (c *Chat) serveCards() {
	for c.nextJob(Cards) != nil {
		c.runNext(Cards, c.awaitFirstCall(Cards))
	}
}

// awaitFirstCall waits until the first job of a lane may make its first call.
func (c *Chat) awaitFirstCall(l Lane) error {
	if head := c.nextJob(l); head != nil && head.Free {
		return c.awaitFloods(l)
	}
	return c.awaitTurn(l)
}

// runNext takes the first job of a lane and does it.
func (c *Chat) runNext(l Lane, err error) {
	lane, from, asking := c.lane, c.source, c.asking
	var j Job
	j, c.source = c.takeJob(l)
	c.lane, c.asking = l, j.Ask
	j.Run(c.out.calls, c, err)
	c.lane, c.source, c.asking = lane, from, asking
}

// firstLane is the lane to serve next: that of cards also if no card may be sent now, and
// all others are empty. It reports false where there is nothing to do; the chat has no
// goroutine from then on.
func (c *Chat) firstLane() (Lane, bool) {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	if card, _ := c.nextCard(time.Now()); card >= 0 {
		return Cards, true
	}
	for _, l := range []Lane{Notes, Live, Cards} {
		if len(c.jobs[l]) > 0 {
			return l, true
		}
	}
	c.jobs, c.working = [lanes][]Job{}, false
	return 0, false
}

// nextJob is the job of a lane whose turn it is, nil if there is none.
func (c *Chat) nextJob(l Lane) *Job {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	i := len(c.jobs[l]) - 1
	if l == Cards {
		i, _ = c.nextCard(time.Now())
	} else if i > 0 {
		i = 0
	}
	if i < 0 {
		return nil
	}
	j := c.jobs[l][i]
	return &j
}

// takeJob removes the job of a lane whose turn it is; the lane has one. A card comes with its source.
func (c *Chat) takeJob(l Lane) (Job, *source) {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	i := 0
	var from *source
	if l == Cards {
		i, _ = c.nextCard(time.Now())
		i = max(i, 0) // when the Outbox stops, no turn is waited for
		from = c.sources.takeTurn(c.jobs[l][i].Source)
	}
	j := c.jobs[l][i]
	c.jobs[l] = slices.Delete(c.jobs[l], i, i+1)
	if j.Reply {
		c.replies--
	}
	if j.Ask {
		c.asks--
	}
	return j, from
}

// nextCard is the card job whose turn it is, as sources.next tells. Called with Outbox.mu held.
func (c *Chat) nextCard(now time.Time) (i int, at time.Time) {
	names := make([]string, 0, len(c.jobs[Cards]))
	for _, j := range c.jobs[Cards] {
		names = append(names, j.Source)
	}
	return c.sources.nextCard(names, now)
}

// awaitSource waits until a source may have a card sent, or there is something else to do in the
// chat.
func (c *Chat) awaitSource() {
	c.out.mu.Lock()
	i, at := c.nextCard(time.Now())
	c.out.mu.Unlock()
	if i < 0 {
		c.hold(HeldByGroup)
		defer c.release()
		c.pauseUnlessWoken(time.Until(at))
	}
}

// pauseUnlessWoken waits until there is something to do, the time has passed, or the Outbox is
// closed.
func (c *Chat) pauseUnlessWoken(d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-c.out.stopping:
	case <-timer.C:
	case <-c.wake:
	}
}
