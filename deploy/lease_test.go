package deploy_test

import (
	"sync/atomic"
	"time"

	"hermes/internal/database"
)

// lease is that of a hermes that acts, as far as metrics tell of it. It is never lost.
type lease struct {
	now atomic.Pointer[database.Standing]
}

func newLease() *lease {
	l := &lease{}
	l.now.Store(&database.Standing{Epoch: 1, Age: time.Second, Delay: time.Millisecond})
	return l
}

func (l *lease) set(change func(*database.Standing)) {
	s := *l.now.Load()
	change(&s)
	l.now.Store(&s)
}

func (l *lease) Epoch() int64          { return l.now.Load().Epoch }
func (l *lease) Age() time.Duration    { return l.now.Load().Age }
func (l *lease) Delay() time.Duration  { return l.now.Load().Delay }
func (l *lease) Valid() error          { return nil }
func (l *lease) Done() <-chan struct{} { return nil }
func (l *lease) Err() error            { return nil }
