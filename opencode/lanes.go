package opencode

import (
	"slices"
	"sync"

	"hermes/internal/event"
	"hermes/internal/session"
)

// Bounds on what one origin keeps waiting. Beyond them, whoever hears its events waits.
const (
	maxReading = 16  // asks that are read at a time
	maxQueued  = 256 // what waits behind them
)

// lanes keep the order of the events of each session, though an ask takes time to read:
// asks are read concurrently, and an event that arrives after an ask of the same session is
// emitted after it. Sessions do not wait for one another, and no event waits for a later
// one. Safe for concurrent use.
type lanes struct {
	mu      sync.Mutex
	changed sync.Cond
	queue   []*task // in the order in which they were heard
	reading int
	running bool // a task that is none of a read: one at a time
}

// task emits an event.
type task struct {
	session session.ID // empty: it concerns all sessions
	kind    event.Kind // tasks of one kind do the same; empty: as no other one does
	isRead  bool       // it runs already, and is in the queue for what waits for it
	run     func()
}

func newLanes() *lanes {
	l := &lanes{}
	l.changed.L = &l.mu
	return l
}

// startRead runs f, which reads an ask of the session and emits it, in a goroutine.
func (l *lanes) startRead(session session.ID, f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.reading >= maxReading {
		l.changed.Wait()
	}
	t := &task{session: session, isRead: true}
	l.queue = append(l.queue, t)
	l.reading++
	go func() {
		f()
		l.mu.Lock()
		defer l.mu.Unlock()
		l.queue = slices.DeleteFunc(l.queue, func(o *task) bool { return o == t })
		l.reading--
		l.runReady()
	}()
}

// afterReads runs f when everything of the session that arrived earlier is emitted; without a
// session, everything. That is at once where there is nothing.
func (l *lanes) afterReads(session session.ID, f func()) { l.onceAfterReads(session, "", f) }

// onceAfterReads is afterReads for an f that does the same as others of its kind. It may be left out, if
// one of them that waits will be run behind the same asks.
func (l *lanes) onceAfterReads(session session.ID, kind event.Kind, f func()) {
	t := &task{session: session, kind: kind, run: f}
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.queue)-l.reading >= maxQueued && !l.hasLike(t) {
		l.changed.Wait()
	}
	if !l.hasLike(t) {
		l.queue = append(l.queue, t)
		l.runReady()
	}
}

// hasLike reports whether a task of the same kind waits, behind all asks that t has to wait for.
func (l *lanes) hasLike(t *task) bool {
	for _, o := range slices.Backward(l.queue) {
		switch {
		case t.kind == "", o.isRead && (t.session == "" || t.session == o.session):
			return false
		case o.kind == t.kind && o.session == t.session:
			return true
		}
	}
	return false
}

// runReady runs what need not wait any more, unless another goroutine does so. It is called with
// the lock held, which is free while something runs.
func (l *lanes) runReady() {
	for n := l.ready(); n >= 0 && !l.running; n = l.ready() {
		t := l.queue[n]
		l.queue, l.running = slices.Delete(l.queue, n, n+1), true
		l.changed.Broadcast()
		l.mu.Unlock()
		t.run()
		l.mu.Lock()
		l.running = false
	}
	l.changed.Broadcast()
}

// ready finds the first task that may run; -1: there is none.
func (l *lanes) ready() int {
	waits := map[session.ID]bool{}
	for n, t := range l.queue {
		if !t.isRead && !waits[t.session] && (t.session != "" || n == 0) {
			return n
		}
		waits[t.session] = true
	}
	return -1
}

// wait returns when everything is emitted.
func (l *lanes) wait() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.queue) > 0 || l.running {
		l.changed.Wait()
	}
}
