package postgres

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// poolSize is how many connections are open at most, beside the one that renews the lease: one writes, the others read.
const poolSize = 4

// pool has the connections. Whoever takes one gives it back, as it is.
type pool struct {
	config   *pgconn.Config
	patience time.Duration // how long one try of anything may take
	slots    chan struct{}

	mu     sync.Mutex
	idle   []*pgconn.PgConn
	closed bool
	ending sync.WaitGroup
}

func newPool(config *pgconn.Config, patience time.Duration) *pool {
	return &pool{config: config, patience: patience, slots: make(chan struct{}, poolSize)}
}

// take returns an idle connection, which may be dead by now, or a new one.
func (p *pool) take(ctx context.Context) (*pgconn.PgConn, error) {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	c, err := p.last()
	if c == nil && err == nil {
		c, err = p.connect(ctx)
	}
	if err != nil {
		<-p.slots
		return nil, err
	}
	return c, nil
}

func (p *pool) last() (*pgconn.PgConn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.idle)
	switch {
	case p.closed:
		return nil, ErrClosed
	case n == 0:
		return nil, nil
	}
	c := p.idle[n-1]
	p.idle = p.idle[:n-1]
	return c, nil
}

func (p *pool) connect(ctx context.Context) (*pgconn.PgConn, error) {
	return connect(ctx, p.config)
}

// give takes a connection back. One that is in a transaction leaves it, without the caller waiting for that. If the connection broke, the idle ones
// are not trusted either: they often broke with it.
func (p *pool) give(c *pgconn.PgConn) {
	switch {
	case c.IsClosed():
		p.forget()
		<-p.slots
	case c.TxStatus() == 'I':
		p.keep(c)
	default:
		p.ending.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), p.patience)
			defer cancel()
			_, _ = send(ctx, c, []statement{{sql: "rollback"}})
			p.keep(c)
		})
	}
}

func (p *pool) keep(c *pgconn.PgConn) {
	p.mu.Lock()
	keep := !p.closed && !c.IsClosed() && c.TxStatus() == 'I'
	if keep {
		p.idle = append(p.idle, c)
	}
	p.mu.Unlock()
	if !keep {
		hangUp(c)
	}
	<-p.slots
}

// forget closes the idle connections.
func (p *pool) forget() {
	p.mu.Lock()
	old := p.idle
	p.idle = nil
	p.mu.Unlock()
	for _, c := range old {
		p.ending.Go(func() { hangUp(c) })
	}
}

// close waits for the connections that are being given back. Those that are taken are closed when they are.
func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.forget()
	p.ending.Wait()
}

// hangUp says good-bye, and waits for nobody.
func hangUp(c *pgconn.PgConn) {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	_ = c.Close(ctx)
}
