package postgres

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"hermes/internal/retry"
	"hermes/internal/standby"
	"hermes/pending/kv"
)

const (
	pollEvery   = 250 * time.Millisecond // how often a standby looks whether the lease is over
	forgoWithin = 500 * time.Millisecond // how long who gives up waiting for the lease tries to leave nothing behind
)

// Lease is the right to act and to write, until Done is closed. Its methods may be called concurrently.
type Lease struct {
	database *Database
	epoch    int64
	ctx      context.Context
	lose     context.CancelCauseFunc
	store    *store
	kept     chan struct{} // closed when no renewal is under way any more

	mu    sync.Mutex
	sent  time.Duration // the last good renewal, by the clock of awake
	delay time.Duration
}

// Acquire waits until nobody has the lease, by the database's clock, and takes it. One that this Database lost before it was over it takes back at once. While the database is
// away it waits, too. It fails when ctx ends, and when waiting does not help: the password is wrong, or the tables are gone.
func (d *Database) Acquire(ctx context.Context, h standby.Holder) (standby.Lease, error) {
	doubt := false // a try whose answer was lost may have succeeded
	defer func() {
		if doubt {
			ctx, cancel := context.WithTimeout(d.ctx, forgoWithin)
			defer cancel()
			_ = d.free(ctx)
		}
	}()
	before := ""
	for {
		l, err := d.tryAcquire(ctx, h)
		doubt = err != nil || doubt && l == nil
		switch {
		case l != nil:
			return l, nil
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil && !temporary(err):
			return nil, err
		case err != nil && err.Error() != before && !hasState(err, lockTaken):
			before = err.Error()
			d.log.Warn("the store cannot be asked for its lease; hermes keeps trying", "err", err)
		case err == nil && before != "":
			before = ""
			d.log.Info("the store can be asked for its lease again")
		}
		if retry.Wait(ctx, pollEvery) != nil {
			return nil, context.Cause(ctx)
		}
	}
}

// tryAcquire returns neither a lease nor an error when another holds it.
func (d *Database) tryAcquire(ctx context.Context, h standby.Holder) (standby.Lease, error) {
	ctx, cancel := context.WithTimeout(ctx, d.lease/2)
	defer cancel()
	c, err := d.take(ctx)
	if err != nil {
		return nil, err
	}
	defer d.give(c)
	free, err := send(ctx, c, []statement{{sql: "select 1 from hermes_lease where id = 1 and (until <= clock_timestamp() or claim = $1)", args: []any{d.claim}}})
	if err != nil || len(free[0].Rows) == 0 {
		return nil, err
	}
	sent := awake()
	epoch, last, err := d.seize(ctx, c, h)
	if hasState(err, lockTaken) {
		cutOff(ctx, c)
	}
	if err != nil || epoch == 0 {
		return nil, err
	}
	return d.newLease(epoch, last, sent), nil
}

// seize takes the lease if it is still free. Then it takes the fence, behind the last transaction of who had it before: that one is cut off by the server if it
// stays open. last is the last commit; epoch 0: another was faster.
func (d *Database) seize(ctx context.Context, c *pgconn.PgConn, h standby.Holder) (epoch int64, last string, err error) {
	results, err := send(ctx, c, append(d.begin("read committed read write"), statement{
		sql: `update hermes_lease set epoch = epoch + 1, claim = $1, holder = $2, address = $3, until = clock_timestamp() + $4 * interval '1 millisecond', renewed = clock_timestamp()
			where id = 1 and (until <= clock_timestamp() or claim = $1) returning epoch`,
		args: []any{d.claim, h.Name, h.Address, d.lease},
	}))
	if err != nil {
		return 0, "", err
	}
	rows := results[len(results)-1].Rows
	if len(rows) == 0 {
		return 0, "", nil
	}
	epoch, err = strconv.ParseInt(string(rows[0][0]), 10, 64)
	if err != nil {
		return 0, "", err
	}
	delete(c.CustomData(), warned)
	results, err = send(ctx, c, []statement{{sql: "update hermes_fence set epoch = $1, claim = $2 where id = 1 returning last_commit", args: []any{epoch, d.claim}}, {sql: "commit"}})
	switch {
	case err != nil:
		return 0, "", err
	case len(results[0].Rows) == 0:
		return 0, "", errNoFence
	case c.CustomData()[warned] != nil:
		return 0, "", errWarned
	}
	return epoch, string(results[0].Rows[0][0]), nil
}

// cutOff ends a transaction that has the fence though its lease is over, and whose server waits until its client takes the rest of an answer: a process that was stopped never does, and
// such a transaction is not idle. It is tried again by who cannot have the fence, so that its failure, as where a server has no such function, needs no word.
func cutOff(ctx context.Context, c *pgconn.PgConn) {
	_, _ = send(ctx, c, []statement{{sql: "rollback"}, {sql: `select pg_terminate_backend(a.pid) from hermes_fence f join pg_stat_activity a on a.backend_xid = f.xmax
		where f.id = 1 and a.wait_event = 'ClientWrite' and exists (select from hermes_lease where id = 1 and until <= clock_timestamp())`}})
}

// free gives up a lease of this Database.
func (d *Database) free(ctx context.Context) error {
	_, err := d.ask(ctx, statement{sql: "update hermes_lease set until = clock_timestamp(), claim = '', holder = '', address = '' where id = 1 and claim = $1", args: []any{d.claim}})
	return err
}

func (d *Database) newLease(epoch int64, last string, sent time.Duration) *Lease {
	l := &Lease{database: d, epoch: epoch, kept: make(chan struct{}), sent: sent, delay: awake() - sent}
	l.ctx, l.lose = context.WithCancelCause(d.ctx)
	l.store = &store{database: d, ctx: l.ctx, lease: l, turn: make(chan struct{}, 1), last: last}
	go l.keep()
	return l
}

// DB is the store. Each Update proves, in its own transaction, that the lease is still this one; without that nothing is stored, and it fails with [ErrDeposed]. An Update that fails for
// another reason than its function ends the lease. Its Close does not release the lease.
func (l *Lease) DB() kv.DB { return l.store }

// Epoch is greater than that of any lease before.
func (l *Lease) Epoch() int64 { return l.epoch }

// Done is closed when the lease is lost or released. Err then says why; it is nil before.
func (l *Lease) Done() <-chan struct{} { return l.ctx.Done() }

// Err is [ErrDeposed], [ErrRewound], [ErrExpired], [ErrReleased], [ErrClosed], an [Unknown] or what the Update failed with that ended the lease.
func (l *Lease) Err() error { return context.Cause(l.ctx) }

// Valid says whether this process may still act, by its own clock: it asks nobody, and is cheap. What is begun while it is nil may end a tenth of the lease later.
func (l *Lease) Valid() error {
	if err := l.Err(); err != nil {
		return err
	}
	if l.left() <= 0 {
		return ErrExpired
	}
	return nil
}

// reachWithin is how long the database may take to answer who asks whether it is there.
const reachWithin = time.Second

// Reach asks the database for nothing, and fails where it does not answer within a second.
func (l *Lease) Reach(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, reachWithin)
	defer cancel()
	return insist(ctx, func() error {
		_, err := l.database.ask(ctx, statement{sql: "select 1"})
		return err
	})
}

// Age is the time since the last good renewal was sent.
func (l *Lease) Age() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return awake() - l.sent
}

// left is how long the holder may still count on the lease, from the moment before the last good renewal was sent.
func (l *Lease) left() time.Duration { return usable(l.database.lease) - l.Age() }

// usable is a tenth less than the database lets a lease last, for clocks do not run equally fast.
func usable(lease time.Duration) time.Duration { return lease - lease/10 }

// Delay is how long the last good renewal took.
func (l *Lease) Delay() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.delay
}

// Release waits for transactions under way, and gives the lease up: another one can have it at once. A lease that is lost is left so.
func (l *Lease) Release(ctx context.Context) error {
	_ = l.store.Close()
	if l.Err() != nil {
		return nil
	}
	l.lose(ErrReleased)
	<-l.kept
	ctx, cancel := context.WithTimeout(ctx, l.database.lease)
	defer cancel()
	return insist(ctx, func() error { return l.database.free(ctx) })
}

// keep renews the lease until it is lost. It has a connection of its own.
func (l *Lease) keep() {
	defer close(l.kept)
	var c *pgconn.PgConn
	defer func() {
		if c != nil {
			hangUp(c)
		}
	}()
	failing := false
	for retry.Wait(l.ctx, l.untilNext(failing)) == nil {
		if l.left() <= 0 {
			l.lose(ErrExpired)
			return
		}
		var err error
		if c, err = l.renew(c); errors.Is(err, ErrDeposed) {
			l.lose(err)
			return
		}
		switch {
		case err != nil && !failing && l.ctx.Err() == nil:
			l.database.log.Warn("the lease of the store was not renewed; hermes tries again", "err", err)
		case err == nil && failing:
			l.database.log.Info("the lease of the store is renewed again")
		}
		failing = err != nil
	}
}

// untilNext is how long the next try waits.
func (l *Lease) untilNext(failing bool) time.Duration {
	if failing {
		return min(l.database.lease/50, l.left())
	}
	return l.database.lease/3 - l.Age()
}

// renew is one try, which a connection that hangs does not hold up for long. It returns the connection for the next one; nil: it broke.
func (l *Lease) renew(c *pgconn.PgConn) (*pgconn.PgConn, error) {
	ctx, cancel := context.WithTimeout(l.ctx, min(l.database.lease/4, l.left()))
	defer cancel()
	if c == nil {
		var err error
		if c, err = connect(ctx, l.database.config); err != nil {
			return nil, err
		}
	}
	sent := awake()
	results, err := send(ctx, c, []statement{{
		sql:  "update hermes_lease set until = clock_timestamp() + $1 * interval '1 millisecond', renewed = clock_timestamp() where id = 1 and epoch = $2 and claim = $3",
		args: []any{l.database.lease, l.epoch, l.database.claim},
	}})
	if err != nil {
		hangUp(c)
		l.database.forget()
		return nil, err
	}
	if results[0].CommandTag.RowsAffected() == 0 {
		return c, ErrDeposed
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent, l.delay = sent, awake()-sent
	return c, nil
}
