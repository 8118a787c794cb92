// Package retry has what everything that tries again needs: how long to pause before the
// next try, and a wait that a context ends. When to try again, and how often, is for whoever
// tries.
package retry

import (
	"context"
	"errors"
	"time"
)

// Backoff is the pause after the n-th failure in a row, counted from 1: first, then twice as
// long each time, up to last.
func Backoff(n int, first, last time.Duration) time.Duration {
	pause := first
	for range n - 1 {
		if pause >= last {
			break
		}
		pause *= 2
	}
	return min(pause, last)
}

// Wait returns nil when d has passed, or ctx's error as soon as ctx ends.
func Wait(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// IsTemporary reports whether an error says of itself that a later try may succeed.
func IsTemporary(err error) bool {
	var e interface{ Temporary() bool }
	return errors.As(err, &e) && e.Temporary()
}

// Later is the later one of two times.
func Later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Attempts counts tries and says when the next is due.
type Attempts struct {
	Made int       `json:"made,omitzero"`
	Next time.Time `json:"next,omitzero"`
}

// Failed is one try more, and the next at that time.
func (a Attempts) Failed(next time.Time) Attempts {
	return Attempts{Made: a.Made + 1, Next: next}
}
