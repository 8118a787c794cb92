package standby

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"hermes/pending/kv"
)

var (
	// ErrRefused means that the database answered, and that only a person can mend what is wrong: it does not take the
	// user or the password, does not have the database, or holds what this hermes must not touch.
	ErrRefused = errors.New("the database refuses hermes")
	// ErrLost means that the lease is lost, or that the database did not take a change or cannot be read: another hermes acts, or may.
	ErrLost = errors.New("this hermes does not act any more")
)

// Holder is a hermes that acts, or wants to, in its own words.
type Holder struct {
	Name    string // of its machine
	Address string // where clients reach it
}

// Acting is who acts, as the database has it, by its own clock.
type Acting struct {
	Holder               // empty: the lease was given back
	Epoch  int64         // grows with each lease; 0: nobody ever had one
	Held   bool          // the lease is not over
	Age    time.Duration // since it was renewed
	Delay  time.Duration // how long the database took to tell

	// Synchronous says that a change waits until a standby of the database has it. Without that, one that is promoted may lack the last changes.
	Synchronous bool
}

// Database is one that several hermes share, of which one acts at a time. Its methods may be called concurrently.
type Database interface {
	// Acquire waits until nobody else acts, also while the database is away, and ends with ctx.
	Acquire(ctx context.Context, who Holder) (Lease, error)
	// Look asks who acts.
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
	// Valid is nil while this process may act, by the clocks of this machine.
	Valid() error
	// Done is closed when the lease is lost; Err then says how.
	Done() <-chan struct{}
	Err() error
	// Reach asks the database for nothing, and fails where it does not answer within a second.
	Reach(ctx context.Context) error
	Epoch() int64
	Age() time.Duration   // since the last renewal that the database took
	Delay() time.Duration // how long that took
}

// Standing is how a hermes stands among those that share its database.
type Standing struct {
	Acts  bool          // this one does
	Epoch int64         // of who acts
	Age   time.Duration // since who acts renewed its lease
	Delay time.Duration // of the database
}

// AddMetrics adds how this hermes stands, which is asked whenever somebody looks. A standby and the one that acts have the same metrics.
func AddMetrics(r *prometheus.Registry, now func() Standing) {
	for _, one := range []struct {
		name, help string
		of         func(Standing) float64
	}{
		{"hermes_acting", "With HERMES_STORE: 1 if this hermes acts, 0 if it stands by.", func(s Standing) float64 {
			if s.Acts {
				return 1
			}
			return 0
		}},
		{"hermes_lease_epoch", "With HERMES_STORE: how many times a hermes began to act, up to the one that acts now.", func(s Standing) float64 { return float64(s.Epoch) }},
		{"hermes_lease_age_seconds", "With HERMES_STORE: since the hermes that acts renewed its lease.", func(s Standing) float64 { return s.Age.Seconds() }},
		{"hermes_store_delay_seconds", "With HERMES_STORE: how long the database took for that.", func(s Standing) float64 { return s.Delay.Seconds() }},
	} {
		r.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: one.name, Help: one.help}, func() float64 { return one.of(now()) }))
	}
}
