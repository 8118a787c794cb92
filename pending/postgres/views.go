package postgres

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	"hermes/pending/kv"
)

// idleReader is how long a transaction that reads may be silent: a backup writes to a disk between its pages. It holds nobody up.
const idleReader = 5 * time.Minute

// views makes transactions that read, until ctx ends or Close is called.
type views struct {
	ctx   context.Context
	pool  *pool
	lease time.Duration

	mu     sync.Mutex
	under  sync.WaitGroup // transactions under way
	closed bool
}

// Close waits for transactions under way. One that another one began is refused from now on, so that it does not wait for itself.
func (v *views) Close() error {
	v.mu.Lock()
	v.closed = true
	v.mu.Unlock()
	v.under.Wait()
	return nil
}

// enter says that a transaction is under way, until v.under is told.
func (v *views) enter() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed {
		return ErrClosed
	}
	v.under.Add(1)
	return nil
}

// View reads one moment's state. fn is called once: what fails after its first read is View's error. No read takes longer than a lease.
func (v *views) View(fn func(kv.Tx) error) error {
	if err := v.enter(); err != nil {
		return err
	}
	defer v.under.Done()
	t := &tx{ctx: v.ctx, pool: v.pool, patience: v.lease, begin: append([]statement{{sql: "begin isolation level repeatable read read only"}}, limits(v.lease/6, idleReader)...)}
	defer t.end()
	err := fn(t)
	if t.err != nil { // fn was told that nothing is there
		return v.explain(t.err)
	}
	return err
}

// Size is that of the tables on the server's disk, with their indexes.
func (v *views) Size() (int64, error) {
	if err := v.enter(); err != nil {
		return 0, err
	}
	defer v.under.Done()
	t := &tx{ctx: v.ctx, pool: v.pool, patience: v.lease, begin: []statement{{sql: "begin read only"}}}
	defer t.end()
	answer := t.ask(statement{sql: "select pg_total_relation_size('hermes_records')"})
	if answer == nil {
		return 0, v.explain(t.err)
	}
	return strconv.ParseInt(string(answer.Rows[0][0]), 10, 64)
}

// explain says why everything ended, if it did.
func (v *views) explain(err error) error {
	if cause := context.Cause(v.ctx); cause != nil && !isOwn(err) {
		return fmt.Errorf("%w: %w", cause, err)
	}
	return err
}
