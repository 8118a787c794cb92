// Package broadcast wakes everybody who waits for something new.
package broadcast

import (
	"context"
	"sync"
	"time"
)

// Broadcast wakes those who wait for something new. Make it with New; its methods are safe for
// concurrent use.
type Broadcast struct {
	mu     sync.Mutex
	rung   chan struct{} // closed and made anew at each ring
	closed bool
}

// New makes a Broadcast.
func New() *Broadcast { return &Broadcast{rung: make(chan struct{})} }

// Ring wakes all who wait.
func (b *Broadcast) Ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		close(b.rung)
		b.rung = make(chan struct{})
	}
}

// Close ends all waits, and those that come, so that a server can stop.
func (b *Broadcast) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		b.closed = true
		close(b.rung)
	}
}

// Next gives a channel that is closed at the next ring. done reports that no ring will come.
func (b *Broadcast) Next() (rung <-chan struct{}, done bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.rung, b.closed
}

// Await calls look, and again after each ring, until it reports true or fails, the
// limit is over, ctx ends or the broadcast is closed. With a limit of 0 it looks once.
func (b *Broadcast) Await(ctx context.Context, limit time.Duration, look func() (bool, error)) error {
	enough := time.NewTimer(limit)
	defer enough.Stop()
	for {
		rung, closed := b.Next() // before the look: a ring during it counts
		if found, err := look(); found || err != nil || closed || limit <= 0 {
			return err
		}
		select {
		case <-rung:
		case <-enough.C:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
}
