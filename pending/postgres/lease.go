package postgres

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"hermes/internal/retry"
	"hermes/pending/kv"
)

// Lease is the right to act and to write, until Done is closed. Its methods may be called concurrently.
type Lease struct {
	database *Database
	epoch    int64
	claim    string // a random text that this holding of the lease has alone
	ctx      context.Context
	lose     context.CancelCauseFunc
	db       *leased
	kept     chan struct{} // closed when no renewal is under way any more

	mu    sync.Mutex
	term  term
	delay time.Duration
}

func (d *Database) newLease(epoch int64, claim, last string, sent time.Time) *Lease {
	l := &Lease{database: d, epoch: epoch, claim: claim, kept: make(chan struct{}), term: term{sent, d.lease}, delay: time.Since(sent)}
	l.ctx, l.lose = context.WithCancelCause(d.ctx)
	l.db = newLeased(l, last)
	go l.keep()
	return l
}

// DB is the store. Each Update proves, in its own transaction, that the lease is still this one; without that nothing is stored, and it fails with [ErrDeposed].
// Its Close does not release the lease.
func (l *Lease) DB() kv.DB { return l.db }

// Epoch is greater than that of any lease before.
func (l *Lease) Epoch() int64 { return l.epoch }

// Done is closed when the lease is lost or released. Err then says why; it is nil before.
func (l *Lease) Done() <-chan struct{} { return l.ctx.Done() }

// Err is [ErrDeposed], [ErrRewound], [ErrExpired], [ErrReleased], [ErrClosed] or an [Unknown].
func (l *Lease) Err() error { return context.Cause(l.ctx) }

// Valid says whether this process may still act, by its own clocks: it asks nobody, and is cheap. What is begun while it is nil may end a tenth of the lease later.
func (l *Lease) Valid() error {
	if err := l.Err(); err != nil {
		return err
	}
	if l.state().over(time.Now()) {
		return ErrExpired
	}
	return nil
}

// Age is the time since the last good renewal was sent.
func (l *Lease) Age() time.Duration { return time.Since(l.state().sent) }

// Delay is how long the last good renewal took.
func (l *Lease) Delay() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.delay
}

func (l *Lease) state() term {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.term
}

// Release waits for transactions under way, and gives the lease up: another one can have it at once. A lease that is lost is left so.
func (l *Lease) Release(ctx context.Context) error {
	_ = l.db.Close()
	if l.Err() != nil {
		return nil
	}
	l.lose(ErrReleased)
	<-l.kept
	ctx, cancel := context.WithTimeout(ctx, l.database.lease)
	defer cancel()
	for p := (pause{}); ; {
		err := l.giveUp(ctx)
		if !temporary(err) || !p.wait(ctx) {
			return err
		}
	}
}

func (l *Lease) giveUp(ctx context.Context) error {
	c, err := l.database.pool.take(ctx)
	if err != nil {
		return err
	}
	defer l.database.pool.give(c)
	ctx, cancel := context.WithTimeout(ctx, l.database.pool.patience)
	defer cancel()
	_, err = send(ctx, c, []statement{{
		sql:  "update hermes_lease set until = clock_timestamp(), claim = '', holder = '', address = '' where id = 1 and epoch = $1 and claim = $2",
		args: []any{l.epoch, l.claim},
	}})
	return err
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
		if l.state().over(time.Now()) {
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
	t := l.state()
	if failing {
		return min(t.lease/50, time.Until(t.end()))
	}
	return time.Until(t.sent.Add(t.lease / 3))
}

// renew is one try, which a connection that hangs does not hold up for long. It returns the connection for the next one; nil: it broke.
func (l *Lease) renew(c *pgconn.PgConn) (*pgconn.PgConn, error) {
	ctx, cancel := context.WithTimeout(l.ctx, min(l.database.lease/4, time.Until(l.state().end())))
	defer cancel()
	if c == nil {
		var err error
		if c, err = l.database.pool.connect(ctx); err != nil {
			return nil, err
		}
	}
	sent := time.Now()
	results, err := send(ctx, c, []statement{{
		sql:  "update hermes_lease set until = clock_timestamp() + $1 * interval '1 millisecond', renewed = clock_timestamp() where id = 1 and epoch = $2 and claim = $3",
		args: []any{l.database.lease, l.epoch, l.claim},
	}})
	if err != nil {
		hangUp(c)
		l.database.pool.forget()
		return nil, err
	}
	if results[0].CommandTag.RowsAffected() == 0 {
		return c, ErrDeposed
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.term.sent, l.delay = sent, time.Since(sent)
	return c, nil
}
