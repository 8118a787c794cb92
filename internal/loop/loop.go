// Package loop runs a part of hermes that keeps state in one goroutine, so that the state
// needs no lock.
//
// Whatever changes the state is a function that runs in the loop: [Loop.Do] waits for it,
// [Loop.Post] does not. What takes time is a step, which runs beside the loop ([Loop.Go],
// [Loop.Beside]) and hands its result back. What is due later is a timer ([Loop.After]).
//
// At its end the loop starts nothing new, and takes in the results of the steps that are
// under way for as long as its grace lasts. A function that cannot go on, as the store does not
// take what it has decided, ends the loop at once ([Loop.Fail]).
package loop

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// Loop is one goroutine, which Run is, and what it is to do. Make it with New.
//
// Do, Post, Ending and Gone may be called from anywhere, but Do not from the loop itself,
// which would wait for itself. The other methods are for functions that run in the loop.
type Loop struct {
	grace time.Duration

	mu    sync.Mutex
	queue []func()
	wake  chan struct{} // holds one signal if the queue may not be empty

	steps   sync.WaitGroup
	context context.Context // of the steps; nil: none is started

	ending context.Context // ends as soon as Run is told to end
	end    context.CancelFunc
	gone   chan struct{}
}

// ErrEnded is the error of what comes too late.
var ErrEnded = errors.New("hermes is stopping")

// New makes a Loop. Grace is how long Run waits at its end for steps that are under way.
func New(grace time.Duration) *Loop {
	l := &Loop{grace: grace, wake: make(chan struct{}, 1), gone: make(chan struct{})}
	l.ending, l.end = context.WithCancel(context.Background())
	return l
}

// Run is the loop: it runs what it is given, one after another, until ctx ends. Before
// anything else it runs first, whose error ends it at once. At the end it takes in the
// results of steps that are under way; those that do not end within the grace have their
// context ended, and their results are lost. Then it runs last. The error is that of first, or
// the one given to Fail.
func (l *Loop) Run(ctx context.Context, first func() error, last func()) (err error) {
	steps, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	defer close(l.gone)
	defer context.AfterFunc(ctx, l.end)()
	defer func() {
		switch why := recover().(type) {
		case nil:
		case failure:
			l.context, err = nil, why.error
			l.end()
		default:
			panic(why)
		}
	}()
	l.context = steps
	if err := first(); err != nil {
		l.context = nil
		return err
	}
	for {
		select {
		case <-l.wake:
			l.runQueue()
		case <-ctx.Done():
			l.context = nil
			l.drain()
			stop()
			last()
			return nil
		}
	}
}

// failure is what Fail unwinds the loop with.
type failure struct{ error }

// Fail ends the loop at once, and does not return: neither what called it goes on, nor does anything else run, last included. Run
// returns the error; a Do that waits returns ErrEnded. The context of steps that are under way ends.
func (l *Loop) Fail(err error) { panic(failure{err}) }

// drain runs the results of the steps that are under way, and what comes meanwhile, until
// there are none or the grace is over.
func (l *Loop) drain() {
	done := make(chan struct{})
	go func() {
		l.steps.Wait()
		close(done)
	}()
	limit := time.NewTimer(l.grace)
	defer limit.Stop()
	for {
		select {
		case <-l.wake:
			l.runQueue()
		case <-done:
			for l.runQueue() {
			}
			return
		case <-limit.C:
			return
		}
	}
}

// runQueue runs all that is in the queue by now, and reports whether there was anything.
func (l *Loop) runQueue() bool {
	l.mu.Lock()
	list := l.queue
	l.queue = nil
	l.mu.Unlock()
	for _, f := range list {
		f()
	}
	return len(list) > 0
}

// Post has f run in the loop, after all that was posted before. It never waits, and the
// queue has no limit. Before Run begins f is kept for it; after its end f is dropped.
func (l *Loop) Post(f func()) {
	select {
	case <-l.gone:
		return
	default:
	}
	l.mu.Lock()
	l.queue = append(l.queue, f)
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Do runs f in the loop and waits for it. If ctx or the loop ends before f has begun, f
// never runs, and the error says so: ctx's, or ErrEnded. That is also the error of an f in which
// the loop failed.
func (l *Loop) Do(ctx context.Context, f func()) error {
	var claimed atomic.Bool // by the loop, which runs f, or by the caller, who gives it up
	done := make(chan struct{})
	l.Post(func() {
		if claimed.CompareAndSwap(false, true) {
			f()
			close(done)
		}
	})
	var err error
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-l.gone:
		err = ErrEnded
	}
	if claimed.CompareAndSwap(false, true) {
		return err
	}
	select {
	case <-done:
		return nil
	case <-l.gone:
	}
	select {
	case <-done:
		return nil
	default:
		return ErrEnded // the loop failed in f
	}
}

// Running reports whether steps and timers are started: Run has begun, and does not end yet.
// It changes only between two functions that run in the loop.
func (l *Loop) Running() bool { return l.context != nil }

// Go runs f beside the loop, with a context that ends when the grace is over. It does
// nothing if the loop is not running.
func (l *Loop) Go(f func(context.Context)) {
	if ctx := l.context; ctx != nil {
		l.steps.Go(func() { f(ctx) })
	}
}

// Beside is Go for a step with a result: the function that f returns, if any, runs in the
// loop.
func (l *Loop) Beside(f func(context.Context) func()) {
	l.Go(func(ctx context.Context) {
		if result := f(ctx); result != nil {
			l.Post(result)
		}
	})
}

// After has f run in the loop after d, unless the timer is stopped before that. One that is
// stopped when d has passed may run f all the same. If the loop is not running the timer is
// stopped already: what is due then is for the next start.
func (l *Loop) After(d time.Duration, f func()) *time.Timer {
	if l.Running() {
		return time.AfterFunc(d, func() { l.Post(f) })
	}
	timer := time.NewTimer(d)
	timer.Stop()
	return timer
}

// Ending ends as soon as Run is told to end. A step that only waits for something can wait
// with it and leave the grace to others.
func (l *Loop) Ending() context.Context { return l.ending }

// Gone is closed when Run has ended.
func (l *Loop) Gone() <-chan struct{} { return l.gone }
