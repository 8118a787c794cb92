package database

import (
	"context"
	"os"
	"time"

	"hermes/internal/config"
	"hermes/pending/kv"
)

// Holder is a hermes that acts, or wants to, in its own words.
type Holder struct {
	Name    string // of its machine
	Address string // where clients reach it
}

// Self is this hermes, as it names itself to the others.
func Self(c config.Config) Holder {
	name, _ := os.Hostname()
	return Holder{Name: name, Address: c.Address()}
}

// Acting is who acts, as the database has it.
type Acting struct {
	Holder
	Epoch int64         // counts those who acted; 0: nobody ever did
	Held  bool          // the lease is not over
	Age   time.Duration // since it was renewed
	Delay time.Duration // how long the database took to tell

	Synchronous bool // a change waits until a standby of the database has it
}

// Shared is a database that several hermes share, of which one acts at a time. Its methods may be called concurrently.
type Shared interface {
	// Acquire waits until nobody else acts, also while the database is away, and ends with ctx.
	Acquire(ctx context.Context, who Holder) (Lease, error)
	Look(ctx context.Context) (Acting, error)
	Close()
}

// Lease is the right to act, until it is lost or given back.
type Lease interface {
	Turn
	// DB is the database for the one that acts. Its writes fail when the lease is lost.
	DB() kv.DB
	// Release gives the lease back; nothing may be written after it.
	Release(ctx context.Context) error
}

// Turn is what those who act ask of their lease.
type Turn interface {
	Right
	Figures
}

// Right is whether this process may act.
type Right interface {
	// Valid is nil while it may, by the clocks of this machine.
	Valid() error
	// Done is closed when the lease is lost; Err then says how.
	Done() <-chan struct{}
	Err() error
}

// Figures are how a lease stands.
type Figures interface {
	// Reach asks the database for nothing, and fails where it does not answer within a second.
	Reach(ctx context.Context) error
	Epoch() int64
	Age() time.Duration   // since the last renewal that the database took
	Delay() time.Duration // how long that took
}
