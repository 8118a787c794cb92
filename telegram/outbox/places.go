package outbox

import (
	"time"

	"golang.org/x/time/rate"
)

// rank is what a chat is about to send. Each rank has its own part of what all chats may send in a second, so none waits for another.
type rank int

// The ranks, the first first.
const (
	rankAsk   rank = iota // an ask that nobody has seen yet
	rankCard              // what changes at a card, and its end
	rankOther             // notes and live messages
	ranks                 // how many there are
)

// perSecond is what all chats together may send in a second, by rank.
func perSecond() [ranks]int { return [ranks]int{rankAsk: 15, rankCard: 8, rankOther: 4} }

// newPlaces is a limit for each rank. In each, chats have places in the order in which they came.
func newPlaces() (limits [ranks]*rate.Limiter) {
	for r, n := range perSecond() {
		limits[r] = rate.NewLimiter(rate.Limit(n), n)
	}
	return limits
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

// unusedPlace is how long a place is kept that could not be used, as in a flood wait: else all chats that have one would write at
// once when it is over.
const unusedPlace = time.Second

// placeAt is when the chat's next place comes, which it takes if it has none. Called with Outbox.mu held.
func (q *queue) placeAt(now time.Time) time.Time {
	r := q.rank()
	if q.places[r].Before(now.Add(-unusedPlace)) {
		q.places[r] = now.Add(q.out.places[r].ReserveN(now, 1).DelayFrom(now))
	}
	return q.places[r]
}
