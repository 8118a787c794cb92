package postgres

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"hermes/pending/kv"
)

// DefaultLease is how long a lease lasts when nothing else is set.
const DefaultLease = 6 * time.Second

// Options change how a Database works.
type Options struct {
	// Lease is how long a lease lasts without being renewed, the same for every hermes of a database; 0: [DefaultLease]. It is also the longest that an
	// Update may take.
	Lease time.Duration
	// Log gets what changes while Acquire waits; nil: nothing is logged.
	Log *slog.Logger
}

// Database is hermes' tables in a PostgreSQL. Its methods may be called concurrently.
type Database struct {
	pool  *pool
	lease time.Duration
	log   *slog.Logger
	ctx   context.Context
	close context.CancelCauseFunc
}

// Open connects, and makes or upgrades the tables. It fails with [ErrNewer] if a newer hermes did that. The URL is one of libpq: it may name several
// hosts, of which the one is used that takes writes. No error has the password.
func Open(ctx context.Context, url string, o Options) (*Database, error) {
	if o.Lease == 0 {
		o.Lease = DefaultLease
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	config, err := parse(url, o.Lease/2)
	if err != nil {
		return nil, err
	}
	d := &Database{pool: newPool(config, o.Lease/2), lease: o.Lease, log: o.Log}
	d.ctx, d.close = context.WithCancelCause(context.Background())
	if err := d.prepare(ctx); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

func (d *Database) prepare(ctx context.Context) error {
	c, err := d.pool.take(ctx)
	if err != nil {
		return err
	}
	defer d.pool.give(c)
	return makeSchema(ctx, c)
}

// Close ends what is under way, and closes the connections. A lease that was not released stays until it is over.
func (d *Database) Close() {
	d.close(ErrClosed)
	d.pool.close()
}

// Reader reads, whoever has the lease. Its Update fails.
func (d *Database) Reader() kv.DB { return &reader{views{ctx: d.ctx, pool: d.pool, lease: d.lease}} }

type reader struct{ views }

func (r *reader) Update(func(kv.Tx) error) error {
	return errors.New("this is for reading alone: who writes to the store (HERMES_STORE) needs its lease")
}
