package postgres

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"

	"hermes/pending/kv"
)

// leased is the store of who has the lease.
type leased struct {
	views
	held *Lease
	turn chan struct{} // one writes at a time: at the server they would only wait for each other's fence

	// for who has the turn
	last   string // the last commit
	memory *memory
}

func newLeased(l *Lease, last string) *leased {
	return &leased{views: views{ctx: l.ctx, pool: l.database.pool, lease: l.database.lease}, held: l, turn: make(chan struct{}, 1), last: last, memory: newMemory()}
}

// Update takes at most as long as the lease. It calls fn again after a conflict, and when the connection broke before COMMIT.
func (d *leased) Update(fn func(kv.Tx) error) error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.under.Done()
	ctx, cancel := context.WithTimeout(d.ctx, d.lease)
	defer cancel()
	if err := d.held.Valid(); err != nil {
		return err
	}
	select {
	case d.turn <- struct{}{}:
		defer func() { <-d.turn }()
	case <-ctx.Done():
		return d.explain(errors.New("other changes took too long"))
	}
	for p := (pause{}); ; {
		again, err := d.try(ctx, fn)
		if !again || !p.wait(ctx) {
			return d.conclude(err)
		}
	}
}

// conclude ends the lease where it cannot go on.
func (d *leased) conclude(err error) error {
	_, unknown := errors.AsType[*Unknown](err)
	if unknown || errors.Is(err, ErrDeposed) || errors.Is(err, ErrRewound) {
		d.held.lose(err)
	}
	if err == nil || unknown {
		return err
	}
	return d.explain(err)
}

// try is one transaction. again: nothing is stored, and the next try may succeed.
func (d *leased) try(ctx context.Context, fn func(kv.Tx) error) (again bool, err error) {
	id := rand.Text()
	t := &tx{ctx: ctx, pool: d.pool, patience: d.lease, begin: d.begin(id), proven: d.proven(id), writes: true, memory: d.memory}
	defer t.end()
	failed := fn(t)
	if t.err == nil && failed != nil {
		return false, failed
	}
	err = t.commit() // or the transaction's own error: fn was told that nothing is there, and what it returned may come from that
	again = temporary(err)
	if in, ok := errors.AsType[*doubt](err); ok {
		t.end()
		again, err = d.settle(id, in.error)
	}
	if err == nil && t.wrote {
		d.last = id
		d.memory.keep(t.known)
	}
	return again, err
}

// begin has the proof last: it takes the fence, which nobody else gets until this transaction is over, and which must have the last commit of this holder. Who finds
// this id there knows that the transaction was committed.
func (d *leased) begin(id string) []statement {
	list := append([]statement{{sql: "begin isolation level serializable read write"}}, limits(d.lease/6, d.lease)...)
	return append(list,
		statement{
			sql:  "update hermes_fence set last_commit = $1 where id = 1 and epoch = $2 and claim = $3 and last_commit = $4",
			args: []any{id, d.held.epoch, d.held.claim, d.last},
		},
		statement{sql: "select last_commit, claim from hermes_fence where id = 1"},
	)
}

// proven judges what the proof returned.
func (d *leased) proven(id string) func(*pgconn.Result) error {
	return func(r *pgconn.Result) error {
		switch {
		case len(r.Rows) == 0:
			return errNoFence
		case string(r.Rows[0][0]) == id:
			return nil
		case string(r.Rows[0][1]) == d.held.claim:
			return ErrRewound
		}
		return ErrDeposed
	}
}
