package daemon

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"hermes/pending"
)

// tapLife is how long a tap waits at Telegram for a bot that is away (measured in
// the Bot API server: 150 s). Typed messages wait for 24 hours.
const tapLife = 150 * time.Second

// keepAfter is how old the time that the store knows may become before it is stored
// again. A quiet poll takes 25 s, so every second of those is.
const keepAfter = 40 * time.Second

// answeredWithin is how long an answer takes where all is well: 25 s of a poll, half a
// minute with a webhook, which is looked after so often; and some time for the answer.
const answeredWithin = 50 * time.Second

// heartbeat notes when Telegram was last heard, and tells when taps have been lost.
type heartbeat struct {
	store   *pending.Store
	log     *slog.Logger
	offline func(context.Context, time.Duration)

	mu     sync.Mutex
	last   time.Time // good poll
	stored time.Time // of the last one that the store knows
}

// beat notes a good poll. The store learns of it if it did not for a while, which
// is exact enough for tapLife.
func (p *heartbeat) beat(at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at = at.Round(0) // by the wall clock, which goes on while the machine sleeps
	if p.last.IsZero() {
		p.last = p.before()
	}
	if gap := at.Sub(p.last); gap > tapLife && !p.last.IsZero() {
		p.log.Warn("hermes was offline; taps from then are gone", "for", gap.Round(time.Second))
		go p.offline(context.Background(), gap)
	}
	p.last = at
	if at.Sub(p.stored) >= keepAfter {
		p.keep(at)
	}
}

// end notes that Telegram was there until an orderly stop: the poll under way
// would have brought what came. Where the last good one is too old, it is not so.
func (p *heartbeat) end(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now = now.Round(0)
	if now.Sub(p.last) <= answeredWithin {
		p.keep(now)
	}
}

func (p *heartbeat) keep(at time.Time) {
	if err := p.store.Beat(at); err != nil {
		p.log.Error("cannot store the time of the last poll", "err", err)
	}
	p.stored = at
}

// before is when an earlier process last heard Telegram; zero: never.
func (p *heartbeat) before() time.Time {
	at, err := p.store.LastBeat()
	if err != nil {
		p.log.Error("cannot read the time of the last poll", "err", err)
	}
	return at
}
