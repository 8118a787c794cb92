package standby_test

import (
	"context"
	"errors"
	"sync"
	"time"

	"hermes/internal/standby"
	"hermes/pending/kv"
	"hermes/pending/kv/kvtest"
)

const leaseTime = 6 * time.Second

var (
	errAway    = errors.New("connection refused")
	errDeposed = errors.New("another hermes acts")
	errExpired = errors.New("the lease is over")
)

// memory is a database that several hermes share.
type memory struct {
	records kvtest.Memory

	mu    sync.Mutex
	who   standby.Holder
	epoch int64
	until time.Time
	heard time.Time // the last renewal
}

// node is the way of one hermes to the database. It may be cut.
type node struct {
	*memory
	mu   sync.Mutex
	cut  bool
	stop bool // the process is paused: it renews nothing, and does not notice
}

func (n *node) set(cut, paused bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cut, n.stop = cut, paused
}

func (n *node) is() (cut, paused bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.cut, n.stop
}

func (n *node) Close() {}

func (n *node) Look(context.Context) (standby.Acting, error) {
	if cut, _ := n.is(); cut {
		return standby.Acting{}, errAway
	}
	m := n.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	return standby.Acting{Holder: m.who, Epoch: m.epoch, Held: time.Now().Before(m.until), Age: time.Since(m.heard), Delay: time.Millisecond}, nil
}

func (n *node) Acquire(ctx context.Context, who standby.Holder) (standby.Lease, error) {
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for {
		if l := n.take(who); l != nil {
			return l, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-tick.C:
		}
	}
}

func (n *node) take(who standby.Holder) *lease {
	if cut, paused := n.is(); cut || paused {
		return nil
	}
	m := n.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if now.Before(m.until) {
		return nil
	}
	m.who, m.epoch, m.until, m.heard = who, m.epoch+1, now.Add(leaseTime), now
	l := &lease{node: n, epoch: m.epoch, good: now, done: make(chan struct{}), ended: make(chan struct{})}
	go l.renew()
	return l
}

// lease is renewed three times in its time.
type lease struct {
	node  *node
	epoch int64
	ended chan struct{}
	once  sync.Once

	mu   sync.Mutex
	good time.Time // when the last good renewal was sent
	done chan struct{}
	err  error
}

func (l *lease) renew() {
	tick := time.NewTicker(leaseTime / 3)
	defer tick.Stop()
	for {
		select {
		case <-l.ended:
			return
		case <-l.done:
			return
		case <-tick.C:
		}
		cut, paused := l.node.is()
		if paused {
			continue
		}
		if !cut {
			l.extend()
		}
		if err := l.Valid(); err != nil {
			l.lose(err)
		}
	}
}

func (l *lease) extend() {
	now := time.Now()
	if err := l.holds(); err != nil {
		l.lose(err)
		return
	}
	m := l.node.memory
	m.mu.Lock()
	m.until, m.heard = now.Add(leaseTime), now
	m.mu.Unlock()
	l.mu.Lock()
	l.good = now
	l.mu.Unlock()
}

// holds is what a write proves: that nobody else has acted since.
func (l *lease) holds() error {
	if cut, _ := l.node.is(); cut {
		return errAway
	}
	m := l.node.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.epoch != l.epoch {
		return errDeposed
	}
	return nil
}

func (l *lease) lose(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		l.err = err
		close(l.done)
	}
}

func (l *lease) Valid() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return l.err
	}
	if time.Since(l.good) >= leaseTime {
		return errExpired
	}
	return nil
}

func (l *lease) Done() <-chan struct{} { return l.done }

func (l *lease) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

func (l *lease) Release(context.Context) error {
	l.once.Do(func() { close(l.ended) })
	if err := l.holds(); err != nil {
		return err
	}
	l.node.memory.mu.Lock()
	defer l.node.memory.mu.Unlock()
	l.node.memory.until = time.Time{}
	return nil
}

func (l *lease) Reach(context.Context) error {
	if cut, _ := l.node.is(); cut {
		return errAway
	}
	return nil
}

func (l *lease) Epoch() int64         { return l.epoch }
func (l *lease) Age() time.Duration   { l.mu.Lock(); defer l.mu.Unlock(); return time.Since(l.good) }
func (l *lease) Delay() time.Duration { return time.Millisecond }

// DB is the records, for who acts. Each change proves that, as its last step.
func (l *lease) DB() kv.DB { return leased{l.node.records.Open(), l} }

type leased struct {
	kv.DB
	lease *lease
}

func (d leased) Update(fn func(kv.Tx) error) error {
	return d.DB.Update(func(tx kv.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return d.lease.holds()
	})
}

func (d leased) View(fn func(kv.Tx) error) error {
	if cut, _ := d.lease.node.is(); cut {
		return errAway
	}
	return d.DB.View(fn)
}
