package opencode

import (
	"sync"

	"hermes/question"
)

// Bounds on what one origin keeps waiting. Beyond them, whoever hears its events waits.
const (
	maxReading = 16  // asks that are read at a time
	maxQueued  = 256 // of a session, what waits behind its asks
)

// lanes keep the order of what is told of a session, though an ask takes time to read:
// asks are read side by side, and what is heard behind an ask of the same session is told
// behind it. Sessions do not wait for one another. Safe for concurrent use.
type lanes struct {
	mu      sync.Mutex
	changed sync.Cond
	reading int // asks
	of      map[question.SessionID]*lane
	last    []func() // that concern all sessions: behind everything that was heard before
	running bool     // one of last
}

// lane is a session of which something is not told yet.
type lane struct {
	reading int // asks
	queue   []func()
	running bool // one of queue
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
	for l.reading >= maxReading {
		l.changed.Wait()
	}
	in := l.lane(session)
	in.reading++
	l.reading++
	go func() {
		f()
		l.mu.Lock()
		defer l.mu.Unlock()
		in.reading--
		l.reading--
		l.drain(session, in)
	}()
}

// then runs f when all asks of the session are told that were heard before; without a
// session, all asks. That is at once where there are none.
func (l *lanes) then(session question.SessionID, f func()) {
	if !l.later(session, f) {
		f()
	}
}

// later reports whether f has to wait, and then runs it later.
func (l *lanes) later(session question.SessionID, f func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if session == "" && len(l.of) > 0 {
		l.last = append(l.last, f)
		return true
	}
	for l.of[session] != nil && len(l.of[session].queue) >= maxQueued {
		l.changed.Wait()
	}
	in := l.of[session]
	if in != nil {
		in.queue = append(in.queue, f)
	}
	return in != nil
}

// beside is then for an f that takes time.
func (l *lanes) beside(session question.SessionID, f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	in := l.lane(session)
	in.queue = append(in.queue, f)
	go func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.drain(session, in)
	}()
}

// wait returns when everything is told.
func (l *lanes) wait() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.of) > 0 || len(l.last) > 0 || l.running {
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

// drain runs what waits in a lane, if no ask is read there. It is called with the lock
// held, which is free while something runs.
func (l *lanes) drain(session question.SessionID, in *lane) {
	defer l.changed.Broadcast()
	if in.running {
		return // whoever runs it goes on
	}
	for in.reading == 0 && len(in.queue) > 0 {
		in.running = true
		l.run(&in.queue)
		in.running = false
	}
	if in.reading > 0 {
		return
	}
	if l.of[session] == in {
		delete(l.of, session)
	}
	for len(l.of) == 0 && len(l.last) > 0 && !l.running {
		l.running = true
		l.run(&l.last)
		l.running = false
	}
}

// run runs the first of a list.
func (l *lanes) run(list *[]func()) {
	f := (*list)[0]
	*list = (*list)[1:]
	l.changed.Broadcast()
	l.mu.Unlock()
	defer l.mu.Lock()
	f()
}
