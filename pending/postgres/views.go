package postgres

import (
	"context"
	"fmt"
	"sync"
	"time"

	"hermes/pending/kv"
)

// views makes transactions that read, until ctx ends or Close is called.
type views struct {
	ctx     context.Context
	pool    *pool
	longest time.Duration // that a transaction takes

	mu     sync.RWMutex // held by each transaction for reading
	closed bool
}

func (v *views) Close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.closed = true
	return nil
}

// enter says that a transaction is under way until leave is called, for as long as one may take.
func (v *views) enter() (ctx context.Context, leave func(), err error) {
	v.mu.RLock()
	if v.closed {
		v.mu.RUnlock()
		return nil, nil, ErrClosed
	}
	ctx, cancel := context.WithTimeout(v.ctx, v.longest)
	return ctx, func() { cancel(); v.mu.RUnlock() }, nil
}

// View reads one moment's state. fn is called once: what fails after its first read is View's error.
func (v *views) View(fn func(kv.Tx) error) error {
	ctx, leave, err := v.enter()
	if err != nil {
		return err
	}
	defer leave()
	t := &tx{ctx: ctx, pool: v.pool, begin: append([]statement{{sql: "begin isolation level repeatable read read only"}}, limits(v.longest)...)}
	defer t.end()
	err = fn(t)
	if t.err != nil { // fn was told that nothing is there
		return v.explain(t.err)
	}
	return err
}

// explain says why everything ended, if it did.
func (v *views) explain(err error) error {
	if cause := context.Cause(v.ctx); cause != nil && !isOwn(err) {
		return fmt.Errorf("%w: %w", cause, err)
	}
	return err
}
