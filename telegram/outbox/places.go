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
	waiting []*queue // since when they wait, the longest first
	giving  bool     // a goroutine gives them places
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
func (p *places) next() *queue {
	best, first := 0, p.waiting[0].rank()
	for i, q := range p.waiting {
		if (p.given+1)%fairPlace == 0 {
			break
		}
		if r := q.rank(); r < first || r == first && q.lastPlace < p.waiting[best].lastPlace {
			best, first = i, r
		}
	}
	q := p.waiting[best]
	p.waiting = slices.Delete(p.waiting, best, best+1)
	return q
}

// rank is the first of what waits in a chat. Called with Outbox.mu held.
func (q *queue) rank() rank {
	first := rankOther
	for _, j := range q.jobs {
		switch {
		case j.Ask && !j.isRest():
			return rankAsk
		case j.lane == Cards:
			first = rankCard
		}
	}
	return first
}

// hasPlace reports whether the chat has a place that it did not use. One that came before a flood wait is lost: else all chats
// that had one would write at once when it is over.
func (q *queue) hasPlace() bool { return q.placed && q.placedAfter == q.out.floods.waits }

// takePlace takes a place that is free. If it reports false, the chat waits for one.
func (q *queue) takePlace(now time.Time) bool {
	o := q.out
	if len(o.places.waiting) == 0 && !o.floods.stopAll(now) && o.places.limit.AllowN(now, 1) {
		o.notePlace(q, now)
		return true
	}
	q.holdOn(o.heldAll(now), now)
	o.places.waiting = append(o.places.waiting, q)
	if !o.places.giving {
		o.places.giving = true
		o.running.Go(o.givePlaces)
	}
	return false
}

// awaitPlace waits until the chat has the place that it waits for, or the Outbox is closed. Called with Outbox.mu held, it lets
// others have that meanwhile.
func (q *queue) awaitPlace() {
	q.out.mu.Unlock()
	select {
	case <-q.place:
	case <-q.out.stopping:
	}
	q.out.mu.Lock()
	q.holdOn("", time.Now())
}

// notePlace notes that a chat has a place from now on. Called with mu held.
func (o *Outbox) notePlace(q *queue, now time.Time) {
	o.places.given++
	q.lastPlace, q.placedAfter, q.placed = o.places.given, o.floods.waits, true
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
			return untilTokens(o.places.limit, 1, now), true
		}
		q := o.places.next()
		o.notePlace(q, now)
		q.place <- struct{}{}
	}
	o.places.giving = false
	return 0, false
}
