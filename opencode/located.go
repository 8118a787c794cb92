package opencode

import (
	"context"
	"sync"

	"hermes/internal/recent"
	"hermes/internal/session"
)

// sessionDirectories knows in which directory each session of an OpenCode 2 is, as not all of
// its events say it. Safe for concurrent use.
type sessionDirectories struct {
	find  func(context.Context, session.ID) (directory string, err error)
	slots chan struct{} // one for each look-up that runs

	mu      sync.Mutex
	changed sync.Cond
	known   *recent.Map[session.ID, string]
	waiting map[session.ID][]located // for the sessions that are looked up
	size    int                      // of all that waits
	all     sync.WaitGroup
}

// located is what waits for the directory of a session.
type located struct {
	size int
	call func(directory string)
}

// maxLocating bounds, in bytes, what waits for look-ups. Beyond that whoever reads the stream waits.
const maxLocating = 16 << 20

func newSessionDirectories(find func(context.Context, session.ID) (string, error)) *sessionDirectories {
	s := &sessionDirectories{
		find: find, slots: make(chan struct{}, maxReading),
		known: recent.New[session.ID, string](maxSessions), waiting: map[session.ID][]located{},
	}
	s.changed.L = &s.mu
	return s
}

// locate calls f with the session's directory: told, if the event itself says it, else the one
// that is known, else the one that is found by asking, and none if it cannot be. It calls at
// once where nothing is looked up, and keeps the order of its calls for one session. f holds so many
// bytes.
func (s *sessionDirectories) locate(ctx context.Context, id session.ID, told string, size int, f func(directory string)) {
	s.mu.Lock()
	for s.size > maxLocating {
		s.changed.Wait()
	}
	if told != "" {
		s.known.Put(id, told)
	}
	queue, isWaiting := s.waiting[id]
	directory, isKnown := s.known.Get(id)
	switch {
	case isWaiting, !isKnown:
		s.waiting[id] = append(queue, located{size, f})
		s.size += size
	}
	s.mu.Unlock()
	switch {
	case isWaiting:
	case isKnown:
		f(directory)
	default:
		s.slots <- struct{}{}
		s.all.Go(func() {
			defer func() { <-s.slots }()
			s.lookUp(ctx, id)
		})
	}
}

// lookUp asks where a session is, and calls what waits for it.
func (s *sessionDirectories) lookUp(ctx context.Context, id session.ID) {
	if directory, err := s.find(ctx, id); err == nil && directory != "" {
		s.mu.Lock()
		s.known.Put(id, directory)
		s.mu.Unlock()
	}
	for f, directory := s.next(id); f != nil; f, directory = s.next(id) {
		f(directory)
	}
}

// next takes what waits for a session next; nil: nothing does any more.
func (s *sessionDirectories) next(id session.ID) (f func(string), directory string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	queue := s.waiting[id]
	if len(queue) == 0 {
		delete(s.waiting, id)
		return nil, ""
	}
	s.waiting[id] = queue[1:]
	s.size -= queue[0].size
	s.changed.Broadcast()
	directory, _ = s.known.Get(id)
	return queue[0].call, directory
}

// wait returns when no look-up runs any more.
func (s *sessionDirectories) wait() { s.all.Wait() }
