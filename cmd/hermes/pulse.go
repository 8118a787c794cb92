package main

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

// pulse notes when Telegram was last heard, and tells when taps have been lost.
type pulse struct {
	store   *pending.Store
	log     *slog.Logger
	offline func(context.Context, time.Duration)

	mu     sync.Mutex
	last   time.Time // good poll
	stored time.Time // of the last one that the store knows
}

// beat notes a good poll. The store learns of it once a minute, which is as exact
// as the words about it.
func (p *pulse) beat(at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last.IsZero() {
		p.last = p.before()
	}
	if gap := at.Sub(p.last); gap > tapLife && !p.last.IsZero() {
		p.log.Warn("hermes was offline; taps from then are gone", "for", gap.Round(time.Second))
		go p.offline(context.Background(), gap)
	}
	p.last = at
	if at.Sub(p.stored) < time.Minute {
		return
	}
	if err := p.store.Beat(at); err != nil {
		p.log.Error("cannot store the time of the last poll", "err", err)
	}
	p.stored = at
}

// before is when an earlier process last heard Telegram; zero: never.
func (p *pulse) before() time.Time {
	at, err := p.store.LastBeat()
	if err != nil {
		p.log.Error("cannot read the time of the last poll", "err", err)
	}
	return at
}
