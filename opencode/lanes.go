package opencode

import (
	"slices"
	"sync"

	"hermes/internal/question"
)

// Bounds on what one origin keeps waiting. Beyond them, whoever hears its events waits.
const (
	maxReading = 16  // asks that are read at a time
	maxQueued  = 256 // what waits behind the asks of a session, or of all, and what takes time
)

// lanes keep the order of what is told of a session, though an ask takes time to read:
// asks are read side by side, and what is heard behind an ask of the same session is told
// behind it. Sessions do not wait for one another, and nothing waits for what is heard
// later. Safe for concurrent use.
type lanes struct {
	mu      sync.Mutex
	changed sync.Cond
	heard   int // numbers what is heard
	aside   int // tasks that take time, and are not done
	of      map[question.SessionID]*lane
	all     lane // its asks are those of all sessions; its tasks concern all of them
}

// lane is a session of which something is not told yet.
type lane struct {
	asks    []int // that are being read: their numbers, in order
	queue   []task
	running int // the number of the task; 0: none
}

// task tells something that was heard.
type task struct {
	number int
	kind   question.EventKind // tasks of one kind do the same; empty: as no other one does
	run    func()
}

func newLanes() *lanes {
	l := &lanes{of: map[question.SessionID]*lane{}}
	l.changed.L = &l.mu
	return l
}

// read runs f beside everything else: it reads an ask of the session, and tells it.
func (l *lanes) read(session question.SessionID, f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.all.asks) >= maxReading {
		l.changed.Wait()
	}
	l.heard++
	in, n := l.lane(session), l.heard
	in.asks, l.all.asks = append(in.asks, n), append(l.all.asks, n)
	go func() {
		f()
		l.mu.Lock()
		defer l.mu.Unlock()
		in.told(n)
		l.all.told(n)
		l.drain(session, in)
	}()
}

// then runs f when everything of the session is told that was heard before; without a
// session, everything. That is at once where there is nothing.
func (l *lanes) then(session question.SessionID, f func()) { l.once(session, "", f) }

// once is then for an f that does the same as others of its kind. It may be left out, if
// one of them that waits will be run behind the same asks.
func (l *lanes) once(session question.SessionID, kind question.EventKind, f func()) {
	if !l.later(session, kind, f) {
		f()
	}
}

// later reports whether f has to wait, and then runs it later.
func (l *lanes) later(session question.SessionID, kind question.EventKind, f func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		in := l.waiting(session)
		switch {
		case in == nil:
			return false
		case in.has(kind):
			return true
		case len(in.queue) < maxQueued:
			l.add(in, kind, f)
			return true
		}
		l.changed.Wait()
	}
}

// waiting is the lane in which what is heard of the session waits; nil: it need not.
func (l *lanes) waiting(session question.SessionID) *lane {
	if session == "" && (len(l.of) > 0 || !l.all.empty()) {
		return &l.all
	}
	return l.of[session]
}

// beside is once for an f that takes time.
func (l *lanes) beside(session question.SessionID, kind question.EventKind, f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.aside >= maxQueued && !l.has(session, kind) {
		l.changed.Wait()
	}
	if l.has(session, kind) {
		return
	}
	in := l.lane(session)
	l.aside++
	l.add(in, kind, func() {
		f()
		l.mu.Lock()
		defer l.mu.Unlock()
		l.aside--
	})
	go func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.drain(session, in)
	}()
}

func (l *lanes) has(session question.SessionID, kind question.EventKind) bool {
	in := l.of[session]
	return in != nil && in.has(kind)
}

// wait returns when everything is told.
func (l *lanes) wait() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.of) > 0 || !l.all.empty() {
		l.changed.Wait()
	}
}

func (l *lanes) lane(session question.SessionID) *lane {
	in := l.of[session]
	if in == nil {
		in = &lane{}
		l.of[session] = in
	}
	return in
}

func (l *lanes) add(in *lane, kind question.EventKind, f func()) {
	l.heard++
	in.queue = append(in.queue, task{l.heard, kind, f})
}

// drain runs what need not wait any more in a lane, and of what concerns all sessions. It
// is called with the lock held, which is free while something runs.
func (l *lanes) drain(session question.SessionID, in *lane) {
	for {
		if in.empty() && l.of[session] == in {
			delete(l.of, session)
		}
		switch {
		case l.allReady():
			l.run(&l.all)
		case in.ready():
			l.run(in)
		default:
			l.changed.Broadcast()
			return // whoever tells what is waited for goes on
		}
	}
}

// allReady reports whether everything is told that was heard before the first task that
// concerns all sessions.
func (l *lanes) allReady() bool {
	if !l.all.ready() {
		return false
	}
	for _, in := range l.of {
		if in.oldest() < l.all.queue[0].number {
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

func (in *lane) empty() bool { return len(in.asks)+len(in.queue)+in.running == 0 }

// ready reports whether the first task waits for nothing in its lane.
func (in *lane) ready() bool {
	return in.running == 0 && len(in.queue) > 0 && in.oldest() == in.queue[0].number
}

// oldest is the number of what was heard first, and is not told. The lane is not empty.
func (in *lane) oldest() int {
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

// has reports whether a task of the kind waits, behind all asks that are being read.
func (in *lane) has(kind question.EventKind) bool {
	return kind != "" && slices.ContainsFunc(in.queue, func(t task) bool {
		return t.kind == kind && (len(in.asks) == 0 || t.number > in.asks[len(in.asks)-1])
	})
}

// told takes out an ask.
func (in *lane) told(number int) {
	in.asks = slices.DeleteFunc(in.asks, func(n int) bool { return n == number })
}
