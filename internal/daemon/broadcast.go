package daemon

import (
	"context"
	"sync"
	"time"
)

// broadcast wakes those who wait for something new. Make it with newBroadcast; its methods are
// safe for concurrent use.
type broadcast struct {
	mu     sync.Mutex
	rung   chan struct{} // closed and made anew at each ring
	closed bool
}

func newBroadcast() *broadcast { return &broadcast{rung: make(chan struct{})} }

// ring wakes all who wait.
func (b *broadcast) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		close(b.rung)
		b.rung = make(chan struct{})
	}
}

// close ends all waits, and those that come, so that a server can stop.
func (b *broadcast) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		b.closed = true
		close(b.rung)
	}
}

// next is closed at the next ring. done reports that no ring will come.
func (b *broadcast) next() (rung <-chan struct{}, done bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.rung, b.closed
}

// await calls look, and again after each ring, until it reports true or fails, the
// limit is over, ctx ends or the broadcast is closed. With a limit of 0 it looks once.
func (b *broadcast) await(ctx context.Context, limit time.Duration, look func() (bool, error)) error {
	enough := time.NewTimer(limit)
	defer enough.Stop()
	for {
		rung, closed := b.next() // before the look: a ring during it counts
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
