package demo

import (
	"slices"
	"sync"

	"hermes/internal/chat"
	"hermes/internal/page"
	"hermes/internal/question"
	"hermes/internal/remote"
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
	chats   []remote.ChatSettings
	carried bool // a session has a prompt from a chat
	working bool // a prompt is on its way, or its turn is not over and told
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
		l.carried = l.carried || line.Entry.Kind == storage.EntryCarried && slices.Contains(delivered(), remote.PromptStatus(line.Entry.Detail))
		l.next = line.Number + 1
		return nil
	})
	l.journal = l.journal[max(0, len(l.journal)-journalShown):]
	l.remember(store)
	l.readSessions(store)
}

// delivered are the ends of a prompt that the session is proven to have, as the journal has them.
func delivered() []remote.PromptStatus {
	return []remote.PromptStatus{remote.PromptTaken, remote.PromptNoted, remote.PromptQueued, remote.PromptBehind}
}

// readSessions reads what is known of sessions that are driven.
func (l *snapshot) readSessions(store *pending.Store) {
	d, err := store.SessionRecords()
	if err != nil {
		return
	}
	l.chats = d.ChatSettings
	l.working = len(d.Prompts) > 0 || slices.ContainsFunc(d.TurnWatches, func(w remote.TurnWatch) bool { return len(w.For) > 0 })
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

// driving is how far a chat is in driving a session.
func (l *snapshot) driving(of chat.ID) driveFacts {
	l.mu.Lock()
	defer l.mu.Unlock()
	chosen := slices.ContainsFunc(l.chats, func(c remote.ChatSettings) bool { return c.Chat == of && c.Session != "" })
	return driveFacts{chosen: chosen, carried: l.carried, working: l.working}
}

// shows reports whether an ask is, or was, on a phone.
func (l *snapshot) shows(request string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.known, func(t question.Thread) bool { return string(t.Request.ID) == request && t.Shown() })
}

// voters are those who have approved an ask that needs more than one, and is open.
func (l *snapshot) voters(request string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var names []string
	for _, t := range l.open {
		for _, v := range t.Votes {
			if string(t.Request.ID) == request {
				names = append(names, v.By.Name)
			}
		}
	}
	return names
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
