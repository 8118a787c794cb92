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
	maxQueued  = 256 // what waits behind the asks of a session, or of all, and what takes time
)

// lanes keep the order of the events of each session, though an ask takes time to read:
// asks are read concurrently, and an event that arrives after an ask of the same session is
// emitted after it. Sessions do not wait for one another, and no event waits for a later
// one. Safe for concurrent use.
type lanes struct {
	mu      sync.Mutex
	changed sync.Cond
	heard   int // numbers what is heard
	slow    int // tasks that take time, and are not done
	of      map[session.ID]*lane
	all     lane // its asks are those of all sessions; its tasks concern all of them
}

// lane is a session with asks that are being read, or events that wait for them.
type lane struct {
	asks    []int // that are being read: their numbers, in order
	queue   []task
	running int // the number of the task; 0: none
}

// task emits an event.
type task struct {
	number int
	kind   event.Kind // tasks of one kind do the same; empty: as no other one does
	run    func()
}

func newLanes() *lanes {
	l := &lanes{of: map[session.ID]*lane{}}
	l.changed.L = &l.mu
	return l
}

// startRead runs f, which reads an ask of the session and emits it, in a goroutine.
func (l *lanes) startRead(session session.ID, f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.all.asks) >= maxReading {
		l.changed.Wait()
	}
	l.heard++
	in, n := l.laneOf(session), l.heard
	in.asks, l.all.asks = append(in.asks, n), append(l.all.asks, n)
	go func() {
		f()
		l.mu.Lock()
		defer l.mu.Unlock()
		in.removeAsk(n)
		l.all.removeAsk(n)
		l.runReady(session, in)
	}()
}

// afterReads runs f when everything of the session that arrived earlier is emitted; without a
// session, everything. That is at once where there is nothing.
func (l *lanes) afterReads(session session.ID, f func()) { l.onceAfterReads(session, "", f) }

// onceAfterReads is afterReads for an f that does the same as others of its kind. It may be left out, if
// one of them that waits will be run behind the same asks.
func (l *lanes) onceAfterReads(session session.ID, kind event.Kind, f func()) {
	if !l.addIfWaiting(session, kind, f) {
		f()
	}
}

// addIfWaiting reports whether f has to wait, and then has it run in its turn.
func (l *lanes) addIfWaiting(session session.ID, kind event.Kind, f func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		in := l.waitingLane(session)
		switch {
		case in == nil:
			return false
		case in.hasTask(kind):
			return true
		case len(in.queue) < maxQueued:
			l.addTask(in, kind, f)
			return true
		}
		l.changed.Wait()
	}
}

// waitingLane is the lane in which what is heard of the session waits; nil: it need not.
func (l *lanes) waitingLane(session session.ID) *lane {
	if session == "" && (len(l.of) > 0 || !l.all.isEmpty()) {
		return &l.all
	}
	return l.of[session]
}

// addSlow is onceAfterReads for an f that takes time.
func (l *lanes) addSlow(session session.ID, kind event.Kind, f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.slow >= maxQueued && !l.hasTask(session, kind) {
		l.changed.Wait()
	}
	if l.hasTask(session, kind) {
		return
	}
	in := l.laneOf(session)
	l.slow++
	l.addTask(in, kind, func() {
		f()
		l.mu.Lock()
		defer l.mu.Unlock()
		l.slow--
	})
	go func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.runReady(session, in)
	}()
}

func (l *lanes) hasTask(session session.ID, kind event.Kind) bool {
	in := l.of[session]
	return in != nil && in.hasTask(kind)
}

// wait returns when everything is emitted.
func (l *lanes) wait() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.of) > 0 || !l.all.isEmpty() {
		l.changed.Wait()
	}
}

func (l *lanes) laneOf(session session.ID) *lane {
	in := l.of[session]
	if in == nil {
		in = &lane{}
		l.of[session] = in
	}
	return in
}

func (l *lanes) addTask(in *lane, kind event.Kind, f func()) {
	l.heard++
	in.queue = append(in.queue, task{l.heard, kind, f})
}

// runReady runs what need not wait any more in a lane, and of what concerns all sessions. It
// is called with the lock held, which is free while something runs.
func (l *lanes) runReady(session session.ID, in *lane) {
	for {
		if in.isEmpty() && l.of[session] == in {
			delete(l.of, session)
		}
		switch {
		case l.isAllReady():
			l.run(&l.all)
		case in.isReady():
			l.run(in)
		default:
			l.changed.Broadcast()
			return // whoever finishes what this waits for continues
		}
	}
}

// isAllReady reports whether everything is emitted that arrived before the first task that
// concerns all sessions.
func (l *lanes) isAllReady() bool {
	if !l.all.isReady() {
		return false
	}
	for _, in := range l.of {
		if in.firstNumber() < l.all.queue[0].number {
			return false
		}
	}
	return true
}

// run runs the first task of a lane.
func (l *lanes) run(in *lane) {
	first := in.queue[0]
	in.queue, in.running = in.queue[1:], first.number
	l.changed.Broadcast()
	l.mu.Unlock()
	first.run()
	l.mu.Lock()
	in.running = 0
}

func (in *lane) isEmpty() bool { return len(in.asks)+len(in.queue)+in.running == 0 }

// isReady reports whether the first task waits for nothing in its lane.
func (in *lane) isReady() bool {
	return in.running == 0 && len(in.queue) > 0 && in.firstNumber() == in.queue[0].number
}

// firstNumber is the number of the oldest item that is not emitted. The lane is not empty.
func (in *lane) firstNumber() int {
	switch {
	case in.running > 0:
		return in.running
	case len(in.asks) == 0:
		return in.queue[0].number
	case len(in.queue) == 0:
		return in.asks[0]
	}
	return min(in.asks[0], in.queue[0].number)
}

// hasTask reports whether a task of the kind waits, behind all asks that are being read.
func (in *lane) hasTask(kind event.Kind) bool {
	return kind != "" && slices.ContainsFunc(in.queue, func(t task) bool {
		return t.kind == kind && (len(in.asks) == 0 || t.number > in.asks[len(in.asks)-1])
	})
}

// removeAsk takes out an ask that was read.
func (in *lane) removeAsk(number int) {
	in.asks = slices.DeleteFunc(in.asks, func(n int) bool { return n == number })
}
