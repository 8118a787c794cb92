package daemon

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"hermes/pending"
)

// tapLife is how long a tap waits at Telegram for a bot that is away (measured in
// the Bot API server: 150 s). Typed messages wait for 24 hours.
const tapLife = 150 * time.Second

// storeAfter is how old the time that the store knows may become before it is stored
// again. A quiet poll takes 25 s, so every second of those is.
const storeAfter = 40 * time.Second

// answeredWithin is how long an answer takes where all is well: 25 s of a poll, half a
// minute with a webhook, which is looked after so often; and some time for the answer.
const answeredWithin = 50 * time.Second

// heartbeat notes when Telegram was last heard, and tells when taps have been lost.
type heartbeat struct {
	store   *pending.Store
	log     *slog.Logger
	offline func(context.Context, time.Duration)

	heard atomic.Pointer[time.Time] // last, for who must not wait for the disk; nil: never

	mu     sync.Mutex
	last   time.Time // good poll
	stored time.Time // of the last one that the store knows
}

// beat notes a good poll. The store learns of it if it did not for a while, which
// is exact enough for tapLife.
func (h *heartbeat) beat(at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at = at.Round(0) // by the wall clock, which continues while the machine sleeps
	if h.last.IsZero() {
		h.last = h.lastStored()
	}
	if gap := at.Sub(h.last); gap > tapLife && !h.last.IsZero() {
		h.log.Warn("hermes was offline; taps from then are gone", "for", gap.Round(time.Second))
		go h.offline(context.Background(), gap)
	}
	h.last = at
	h.heard.Store(&at)
	if age := at.Sub(h.stored); age >= storeAfter || age < 0 { // the clock was put back
		h.storeTime(at)
	}
}

// end notes that Telegram was there until an orderly stop: the poll under way
// would have brought what came. Where the last good one is too old, it is not so.
func (h *heartbeat) end(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now = now.Round(0)
	if now.Sub(h.last) <= answeredWithin {
		h.storeTime(now)
	}
}

func (h *heartbeat) storeTime(at time.Time) {
	if err := h.store.Beat(at); err != nil {
		h.log.Error("cannot store the time of the last poll", "err", err)
	}
	h.stored = at
}

// lastStored is when an earlier process last heard Telegram; zero: never.
func (h *heartbeat) lastStored() time.Time {
	at, err := h.store.LastBeat()
	if err != nil {
		h.log.Error("cannot read the time of the last poll", "err", err)
	}
	return at
}

// lastHeard is when the last good poll was; zero: there was none. It does not wait for the disk.
func (h *heartbeat) lastHeard() time.Time {
	if at := h.heard.Load(); at != nil {
		return *at
	}
	return time.Time{}
}

// silence is for how long Telegram was not heard: since the start where it never was.
func (h *heartbeat) silence(start time.Time) time.Duration {
	last := h.lastHeard()
	if last.Before(start) {
		last = start
	}
	return time.Since(last)
}
