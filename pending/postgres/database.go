package postgres

import (
	"context"
	"crypto/rand"
	"log/slog"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"hermes/internal/retry"
	"hermes/internal/standby"
	"hermes/pending/kv"
)

// DefaultLease is how long a lease lasts when nothing else is set.
const DefaultLease = 6 * time.Second

// mostConns is how many connections are open at most, beside the one that renews the lease: one writes, the others read.
const mostConns = 4

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
	config *pgconn.Config
	conns  chan *pgconn.PgConn // those that nobody uses; nil stands for one that is not open
	lease  time.Duration
	claim  string // random, by which this Database knows a lease as its own
	log    *slog.Logger
	ctx    context.Context
	close  context.CancelCauseFunc
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
	d := &Database{config: config, conns: make(chan *pgconn.PgConn, mostConns), lease: o.Lease, claim: rand.Text(), log: o.Log}
	for range mostConns {
		d.conns <- nil
	}
	d.ctx, d.close = context.WithCancelCause(context.Background())
	c, err := d.take(ctx)
	if err == nil {
		err = makeSchema(ctx, c)
		d.give(c)
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// Close ends what is under way, and closes the connections. A lease that was not released stays until it is over.
func (d *Database) Close() {
	if d.ctx.Err() != nil {
		return
	}
	d.close(ErrClosed)
	for range mostConns {
		if c := <-d.conns; c != nil {
			hangUp(c)
		}
	}
}

// Reader reads, whoever has the lease. Its Update fails.
func (d *Database) Reader() kv.DB { return &store{database: d, ctx: d.ctx} }

// patience is how long one try of anything may take.
func (d *Database) patience() time.Duration { return d.lease / 2 }

// take returns a connection, which may be dead by now. Whoever takes one gives it back.
func (d *Database) take(ctx context.Context) (*pgconn.PgConn, error) {
	select {
	case c := <-d.conns:
		if c != nil {
			return c, nil
		}
	case <-d.ctx.Done():
		return nil, context.Cause(d.ctx)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	c, err := connect(ctx, d.config)
	if err != nil {
		d.conns <- nil
		return nil, err
	}
	return c, nil
}

// give takes a connection back, out of its transaction. Where one broke the idle ones are not trusted either: they often broke with it.
func (d *Database) give(c *pgconn.PgConn) {
	if !c.IsClosed() && c.TxStatus() != 'I' {
		ctx, cancel := context.WithTimeout(context.Background(), d.patience())
		_, _ = send(ctx, c, []statement{{sql: "rollback"}})
		cancel()
	}
	if !c.IsClosed() && c.TxStatus() == 'I' && d.ctx.Err() == nil {
		d.conns <- c
		return
	}
	hangUp(c)
	d.conns <- nil
	if d.ctx.Err() == nil {
		d.forget()
	}
}

// forget closes the idle connections.
func (d *Database) forget() {
	for range mostConns {
		select {
		case c := <-d.conns:
			if c != nil {
				go hangUp(c)
			}
			d.conns <- nil
		default:
		}
	}
}

// hangUp says good-bye, and waits for nobody.
func hangUp(c *pgconn.PgConn) {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	_ = c.Close(ctx)
}

// ask is one round trip on a connection of its own.
func (d *Database) ask(ctx context.Context, list ...statement) ([]*pgconn.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, d.patience())
	defer cancel()
	c, err := d.take(ctx)
	if err != nil {
		return nil, err
	}
	defer d.give(c)
	return send(ctx, c, list)
}

// insist tries until ctx ends or no other try helps.
func insist(ctx context.Context, try func() error) error {
	for n := 1; ; n++ {
		err := try()
		if !temporary(err) || retry.Wait(ctx, retry.Backoff(n, 4*time.Millisecond, 250*time.Millisecond)) != nil {
			return err
		}
	}
}

// Look asks who has the lease.
func (d *Database) Look(ctx context.Context) (a standby.Acting, err error) {
	ctx, cancel := context.WithTimeout(ctx, d.lease)
	defer cancel()
	err = insist(ctx, func() error {
		start := time.Now()
		results, err := d.ask(ctx, statement{sql: `select epoch, holder, address, (until > clock_timestamp())::text, extract(epoch from clock_timestamp() - renewed) from hermes_lease where id = 1`})
		switch {
		case err != nil:
			return err
		case len(results[0].Rows) == 0:
			return errNoLease
		}
		a = readActing(results[0].Rows[0])
		a.Delay = time.Since(start)
		return nil
	})
	if err != nil {
		return standby.Acting{}, err
	}
	results, err := d.ask(ctx, statement{sql: "show synchronous_standby_names"}, statement{sql: "show synchronous_commit"})
	if err != nil { // not every server has them
		return a, nil
	}
	if wait := string(results[1].Rows[0][0]); wait != "off" && wait != "local" {
		a.Synchronous = len(results[0].Rows[0][0]) > 0 // names of standbys
	}
	return a, nil
}

func readActing(row [][]byte) standby.Acting {
	epoch, _ := strconv.ParseInt(string(row[0]), 10, 64)
	age, _ := strconv.ParseFloat(string(row[4]), 64)
	return standby.Acting{
		Holder: standby.Holder{Name: string(row[1]), Address: string(row[2])}, Epoch: epoch, Held: string(row[3]) == "true",
		Age: time.Duration(age * float64(time.Second)),
	}
}
