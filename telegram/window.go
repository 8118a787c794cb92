package telegram

import "time"

// window lets through at most groupMinute events in any minute. A token bucket
// would not do: it regains while it is full and lets twice as many through.
type window struct {
	times [groupMinute]time.Time // of the last events, some of them still to come
	next  int
}

// minute is a little longer than one: requests do not all travel equally fast.
const minute = 61 * time.Second

// reserve takes the next place from then on, and returns when it is. Places are
// taken in order.
func (w *window) reserve(then time.Time) time.Time {
	at := later(then, w.times[w.next].Add(minute))
	w.times[w.next] = at
	w.next = (w.next + 1) % groupMinute
	return at
}

// rested reports whether nothing happened for a minute.
func (w *window) rested(now time.Time) bool {
	last := w.times[(w.next+groupMinute-1)%groupMinute]
	return now.Sub(last) >= minute
}
