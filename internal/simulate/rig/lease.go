package rig

import (
	"time"

	"hermes/internal/daemon"
)

// Lease is a lease on a shared store that is never lost.
type Lease struct{}

// Valid implements database.Right, as do Done and Err.
func (Lease) Valid() error { return nil }

// Done never ends.
func (Lease) Done() <-chan struct{} { return nil }

// Err is nil.
func (Lease) Err() error { return nil }

// Epoch implements database.Figures, as do Age and Delay.
func (Lease) Epoch() int64 { return 7 }

// Age is how long ago it was renewed.
func (Lease) Age() time.Duration { return 1500 * time.Millisecond }

// Delay is how long that took.
func (Lease) Delay() time.Duration { return 4 * time.Millisecond }

// WithLease lets the daemon act by a lease.
func WithLease(out daemon.Outside) daemon.Outside {
	out.Turn = Lease{}
	return out
}
