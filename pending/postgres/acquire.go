package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"hermes/internal/retry"
)

// pollEvery is how often a standby looks whether the lease is over.
const pollEvery = 250 * time.Millisecond

// forgoWithin is how long who gives up waiting for the lease tries to leave nothing behind.
const forgoWithin = 500 * time.Millisecond

// Holder is who takes the lease: what others read who want to know whom to ask.
type Holder struct {
	Name    string
	Address string
}

// Acquire waits until nobody has the lease, by the database's clock, and takes it. While the database is away it waits, too. It fails when ctx ends, and when waiting
// does not help: the password is wrong, or the tables are gone.
func (d *Database) Acquire(ctx context.Context, h Holder) (*Lease, error) {
	claim := rand.Text() // the same for each try: one whose answer was lost may have succeeded
	doubt := false
	defer func() {
		if doubt {
			d.forgo(claim)
		}
	}()
	before := ""
	for {
		l, err := d.tryAcquire(ctx, h, claim)
		doubt = err != nil || doubt && l == nil
		switch {
		case l != nil:
			return l, nil
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil && !temporary(err):
			return nil, err
		case err != nil && err.Error() != before && !hasState(err, "55P03", "40001"):
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

// forgo gives up what a try may have got whose answer was lost. If that fails too, the lease runs out by itself.
func (d *Database) forgo(claim string) {
	ctx, cancel := context.WithTimeout(d.ctx, forgoWithin)
	defer cancel()
	c, err := d.pool.take(ctx)
	if err != nil {
		return
	}
	defer d.pool.give(c)
	_, _ = send(ctx, c, []statement{{sql: "update hermes_lease set until = clock_timestamp() where id = 1 and claim = $1", args: []any{claim}}})
}

// tryAcquire returns neither a lease nor an error when another holds it.
func (d *Database) tryAcquire(ctx context.Context, h Holder, claim string) (*Lease, error) {
	ctx, cancel := context.WithTimeout(ctx, d.lease/2)
	defer cancel()
	c, err := d.pool.take(ctx)
	if err != nil {
		return nil, err
	}
	defer d.pool.give(c)
	free, err := send(ctx, c, []statement{{sql: "select 1 from hermes_lease where id = 1 and (until <= clock_timestamp() or claim = $1)", args: []any{claim}}})
	if err != nil || len(free[0].Rows) == 0 {
		return nil, err
	}
	sent := time.Now()
	epoch, last, err := d.claim(ctx, c, h, claim)
	if hasState(err, "55P03") { // lock_not_available
		cutOff(ctx, c)
	}
	if err != nil || epoch == 0 {
		return nil, err
	}
	return d.newLease(epoch, claim, last, sent), nil
}

// cutOff ends a transaction that has the fence though its lease is over, and whose server waits until its client takes the rest of an answer: a process that was stopped never does, and
// such a transaction is not idle. It is tried again by who cannot have the fence, so that its failure, as where a server has no such function, needs no word.
func cutOff(ctx context.Context, c *pgconn.PgConn) {
	_, _ = send(ctx, c, []statement{{sql: "rollback"}, {sql: `select pg_terminate_backend(a.pid) from hermes_fence f join pg_stat_activity a on a.backend_xid = f.xmax
		where f.id = 1 and a.wait_event = 'ClientWrite' and exists (select from hermes_lease where id = 1 and until <= clock_timestamp())`}})
}

// claim takes the lease if it is still free. Then it takes the fence, behind the last transaction of who had it before: that one is cut off by the server if it
// stays open. last is the last commit; epoch 0: another was faster.
func (d *Database) claim(ctx context.Context, c *pgconn.PgConn, h Holder, claim string) (epoch int64, last string, err error) {
	take := statement{
		sql: `update hermes_lease set epoch = epoch + 1, claim = $1, holder = $2, address = $3, until = clock_timestamp() + $4 * interval '1 millisecond', renewed = clock_timestamp()
			where id = 1 and (until <= clock_timestamp() or claim = $1) returning epoch`,
		args: []any{claim, h.Name, h.Address, d.lease},
	}
	begin := append([]statement{{sql: "begin isolation level read committed read write"}}, limits(d.lease/6, d.lease)...)
	results, err := send(ctx, c, append(begin, take))
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
	results, err = send(ctx, c, []statement{{sql: "update hermes_fence set epoch = $1, claim = $2 where id = 1 returning last_commit", args: []any{epoch, claim}}, {sql: "commit"}})
	switch {
	case err != nil:
		return 0, "", err
	case len(results[0].Rows) == 0:
		return 0, "", errNoFence
	case c.CustomData()[warned] != nil:
		return 0, "", errors.New("the server warned of the commit: it may not have waited for the synchronous standby")
	}
	return epoch, string(results[0].Rows[0][0]), nil
}
