package demo

import (
	"sync"

	"hermes/internal/page"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/pending"
)

// snapshot is what the page shows of the store. While hermes does not run, the
// store is closed and cannot change, so what was read last still holds.
type snapshot struct {
	mu      sync.Mutex
	open    []question.Thread
	journal []page.Entry
	next    uint64
	known   []question.Thread // all that were open at any time, oldest first
}

const journalShown = 40

// read looks into the store of a running daemon. Errors are of a store that is
// just being closed; what cannot be read now is read next time.
func (l *snapshot) read(store *pending.Store) {
	l.mu.Lock()
	defer l.mu.Unlock()
	open, err := store.Threads()
	if err != nil {
		return
	}
	l.open = open
	_ = store.Journal(max(1, l.next), func(line pending.Line) error {
		l.journal = append(l.journal, viewLine(line))
		l.next = line.Number + 1
		return nil
	})
	l.journal = l.journal[max(0, len(l.journal)-journalShown):]
	l.remember(store)
}

// remember keeps all threads, also those that are settled and told.
func (l *snapshot) remember(store *pending.Store) {
	seen := map[question.ID]int{}
	for i, t := range l.known {
		seen[t.ID] = i
	}
	for _, t := range l.open {
		if i, ok := seen[t.ID]; ok {
			l.known[i] = t
		} else {
			l.known = append(l.known, t)
		}
	}
	for i, t := range l.known {
		if t.Settled() {
			continue
		}
		if now, ok, err := store.Find(storage.Key{ID: t.ID}); err == nil && ok {
			l.known[i] = now
		}
	}
}

// threads returns all threads that were ever seen.
func (l *snapshot) threads() []question.Thread {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]question.Thread{}, l.known...)
}

// pageView is what the page shows.
func (l *snapshot) pageView() (open []page.Thread, journal []page.Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	open = []page.Thread{}
	for _, t := range l.open {
		open = append(open, viewThread(t))
	}
	return open, append([]page.Entry{}, l.journal...)
}
