package outbox

import (
	"time"

	"hermes/internal/retry"
)

// window lets through a number of events in any minute. A token bucket
// would not do: it regains while it is full and lets twice as many through.
type window struct {
	times []time.Time // of the last events, some of them still to come
	next  int
}

func newWindow(events int) *window { return &window{times: make([]time.Time, events)} }

// minute is a little longer than one: requests do not all travel equally fast.
const minute = 61 * time.Second

// reserve takes the next place from then on, and returns when it is. Places are
// taken in order.
func (w *window) reserve(then time.Time) time.Time {
	at := retry.Later(then, w.times[w.next].Add(minute))
	w.times[w.next] = at
	w.next = (w.next + 1) % len(w.times)
	return at
}

// freeAt is when the next place is.
func (w *window) freeAt() time.Time { return w.times[w.next].Add(minute) }

// isRested reports whether nothing happened for a minute.
func (w *window) isRested(now time.Time) bool {
	last := w.times[(w.next+len(w.times)-1)%len(w.times)]
	return now.Sub(last) >= minute
}
