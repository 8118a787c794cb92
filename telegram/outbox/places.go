package outbox

import (
	"slices"
	"time"

	"golang.org/x/time/rate"
)

// fairPlace is which place of those that are given in a row goes to the chat that has waited longest, whatever it
// waits for: asks go first, and nobody waits for ever.
const fairPlace = 5

// rank says what goes first among chats.
type rank int

// The ranks, the first first.
const (
	rankAsk   rank = iota // an ask that nobody has seen yet
	rankCard              // what changes at a card, and its end
	rankOther             // notes and live messages
)

// places are those in the limit of all chats. A chat waits for one at a time. The next one goes to a chat of the first rank, and
// among these to the one that was given its last place first, so chats take turns however much each has to send. They are guarded by
// Outbox.mu.
type places struct {
	limit   *rate.Limiter
	waiting []*Chat // since when they wait, the longest first
	giving  bool    // a goroutine gives them places
	given   uint64
	changed chan struct{} // has a value when the flood wait of all chats has changed
}

func newPlaces() places {
	return places{limit: rate.NewLimiter(perSecond, perSecond), changed: make(chan struct{}, 1)}
}

// wake has the goroutine that gives places look again.
func (p *places) wake() {
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// next removes the chat whose turn it is; one waits.
func (p *places) next() *Chat {
	best := 0
	if (p.given+1)%fairPlace != 0 {
		for i, c := range p.waiting {
			if before(c, p.waiting[best]) {
				best = i
			}
		}
	}
	c := p.waiting[best]
	p.waiting = slices.Delete(p.waiting, best, best+1)
	return c
}

// before reports whether a gets a place before b, which has waited longer.
func before(a, b *Chat) bool {
	if x, y := a.rankNow(), b.rankNow(); x != y {
		return x < y
	}
	return a.lastPlace < b.lastPlace
}

// rankNow is that of what the chat's next call is for, or of what came into its queue meanwhile, if that is before it.
// Called with Outbox.mu held.
func (c *Chat) rankNow() rank {
	switch {
	case c.asks > 0:
		return rankAsk
	case len(c.jobs[Cards]) > 0:
		return min(c.rank, rankCard)
	default:
		return c.rank
	}
}

// awaitPlace waits for a place in the limit of all chats, for a call of lane l. It fails when the Outbox is closed.
func (c *Chat) awaitPlace(l Lane) error {
	if c.out.Closed() {
		return stoppingError()
	}
	if c.takePlace(l) {
		return nil
	}
	defer c.release()
	select {
	case <-c.place:
		return nil
	case <-c.out.stopping:
		return stoppingError()
	}
}

// takePlace takes a place that is free. If it reports false, the chat waits for one: c.place has a value when it has one.
func (c *Chat) takePlace(l Lane) bool {
	o, now := c.out, time.Now()
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.places.waiting) == 0 && !o.floods.stopAll(now) && o.places.limit.AllowN(now, 1) {
		o.notePlace(c, now)
		return true
	}
	c.rank = rankOther
	switch {
	case c.asking:
		c.rank = rankAsk
	case l == Cards:
		c.rank = rankCard
	}
	c.held, c.heldSince = o.heldAll(now), now
	o.places.waiting = append(o.places.waiting, c)
	if !o.places.giving {
		o.places.giving = true
		o.running.Go(o.givePlaces)
	}
	return false
}

// notePlace notes that c has a place from now on. Called with mu held.
func (o *Outbox) notePlace(c *Chat, now time.Time) {
	o.places.given++
	c.lastPlace, c.placedAfter = o.places.given, o.floods.waits
	o.floods.noteCall(now)
}

// givePlaces gives chats places until none waits, or the Outbox is closed.
func (o *Outbox) givePlaces() {
	for {
		wait, waited := o.giveWhatIsFree()
		if !waited {
			return
		}
		timer := time.NewTimer(wait)
		select {
		case <-o.stopping:
		case <-o.places.changed:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// giveWhatIsFree gives the places that there are now, and returns how long to wait for the next one. It reports false if
// nobody waits for it.
func (o *Outbox) giveWhatIsFree() (wait time.Duration, waited bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := time.Now()
	for len(o.places.waiting) > 0 && !o.Closed() {
		o.holdWaiting(now)
		if o.floods.stopAll(now) {
			return o.floods.until.Sub(now), true
		}
		if !o.places.limit.AllowN(now, 1) {
			return untilToken(o.places.limit, now), true
		}
		c := o.places.next()
		o.notePlace(c, now)
		c.place <- struct{}{}
	}
	o.places.giving = false
	return 0, false
}

// untilToken is how long it takes until the limiter, which has none, has a token.
func untilToken(l *rate.Limiter, now time.Time) time.Duration {
	return max(time.Millisecond, time.Duration((1-l.TokensAt(now))/float64(l.Limit())*float64(time.Second)))
}
