package outbox

import "time"

// window knows the events of the last minute, up to a number. A token bucket would not do: it regains while it is
// full and lets twice as many through.
type window struct {
	times []time.Time // of the last events
	next  int
}

func newWindow(events int) *window { return &window{times: make([]time.Time, events)} }

// minute is a little longer than one: requests do not all travel equally fast.
const minute = 61 * time.Second

// add adds an event.
func (w *window) add(now time.Time) {
	w.times[w.next] = now
	w.next = (w.next + 1) % len(w.times)
}

// freeAt is when the last minute has fewer than n events.
func (w *window) freeAt(n int) time.Time {
	return w.times[(w.next+len(w.times)-n)%len(w.times)].Add(minute)
}

// isRested reports whether nothing happened for a minute.
func (w *window) isRested(now time.Time) bool { return !w.freeAt(1).After(now) }
