package bridge

import (
	"log/slog"
	"maps"
	"time"

	"hermes/internal/chat"
	"hermes/internal/loop"
	"hermes/internal/question"
	"hermes/internal/sorting"
	"hermes/internal/storage"
)

// records stores changes, and knows what the store has not taken yet: of updates here, of
// threads in their own fields owed and stale.
type records struct {
	store   Journal
	log     *slog.Logger
	loop    *loop.Loop
	threads *threads

	resume      func(*liveThread)         // continues with a thread whose change the store did not take
	latest      func(chat.Chat) chat.Chat // what is remembered of the chat by now
	chatsStored func()                    // called when more may be remembered of chats than before

	unsaved  map[chat.UpdateID]time.Time      // handled then, and still in the inbox or at Telegram
	unstored map[chat.UpdateID]storage.Change // what those meant that changed no thread
	troubled string                           // the store's failure that was logged last; empty: it works
}

func newRecords(store Journal, log *slog.Logger, l *loop.Loop, t *threads) *records {
	return &records{
		store: store, log: log, loop: l, threads: t,
		unsaved: map[chat.UpdateID]time.Time{}, unstored: map[chat.UpdateID]storage.Change{},
	}
}

// commitThread stores a thread and what happened to it. The commit logs its own failure.
func (r *records) commitThread(t question.Thread, entries ...storage.Entry) error {
	return r.commit(storage.Change{Threads: []question.Thread{t.Clone()}, Entries: stampEntries(t, entries)})
}

// commit stores a change, and with it what the journal does not have yet of its threads,
// in one transaction. Without an error the store has it, also if it said otherwise: nobody
// may be told then that it has not, nor an entry be written twice.
func (r *records) commit(c storage.Change) error {
	owing := r.addOwed(&c)
	err := r.store.Commit(c)
	if err != nil && r.troubled != err.Error() {
		r.log.Error("the store does not take changes", "err", err)
	}
	r.troubled = ""
	if err != nil && !c.StoredAnyway(r.store.Recorded) {
		r.troubled = err.Error()
		r.noteUnsaved(c.Consumed)
		r.probeStore()
		return err
	}
	for _, l := range owing {
		l.owed, l.stale = nil, false
	}
	for _, id := range c.Consumed {
		delete(r.unsaved, id)
		delete(r.unstored, id)
	}
	if len(c.Chats) > 0 {
		r.chatsStored()
	}
	return nil
}

// keepUnsaved is how long an update counts as handled that was not stored as such: twice as long as Telegram keeps it to send it
// again. After a week of silence its id can be another one's (Bot API, Update).
const keepUnsaved = 48 * time.Hour

func (r *records) noteUnsaved(used []chat.UpdateID) {
	maps.DeleteFunc(r.unsaved, func(_ chat.UpdateID, at time.Time) bool { return time.Since(at) > keepUnsaved })
	for _, id := range used {
		r.unsaved[id] = time.Now()
	}
}

// wasHandled reports whether an update comes once more that was handled, and was not stored as such.
func (r *records) wasHandled(id chat.UpdateID) bool {
	at, known := r.unsaved[id]
	return known && time.Since(at) <= keepUnsaved
}

// addOwed adds the entries that are owed for the change's threads to it, and returns those
// threads.
func (r *records) addOwed(c *storage.Change) (list []*liveThread) {
	for _, threads := range [][]question.Thread{c.Threads, c.Retired} {
		for _, t := range threads {
			if l := r.threads.byID[t.ID]; l != nil {
				list = append(list, l)
				c.Entries = append(c.Entries, l.owed...)
			}
		}
	}
	sorting.By(c.Entries, func(x, y storage.Entry) int { return x.At.Compare(y.At) })
	return list
}

// stampEntries completes journal entries with what is the same in all of a thread's, and with the
// time, unless they have it.
func stampEntries(t question.Thread, entries []storage.Entry) []storage.Entry {
	for i := range entries {
		if !entries[i].At.IsZero() {
			continue
		}
		entries[i].At = time.Now()
		entries[i].Thread, entries[i].Request, entries[i].Session = t.ID, t.Request.ID, t.Request.Session
		switch by := entries[i].By; by.Kind {
		case question.Caller, question.OpenCode: // no rule binds them
			if entries[i].Kind == storage.EntryAsked {
				entries[i].Rule = t.Rule
			}
		case question.RuleActor:
			entries[i].Rule = by.Name // whatever rule fits by now
		case question.Person, question.Deadline, "":
			entries[i].Rule = t.Rule
		}
	}
	return entries
}

// retryStore is when a change that the store did not take is offered again.
const retryStore = 5 * time.Second

// saveThread stores the thread as it is now, together with what happened to it. What has
// happened has happened: if the store fails, hermes continues with what it knows, and the
// next commit of the thread, or a later try, stores both together. A crash before that:
// neither is stored, and the next start finds out what happened meanwhile.
func (r *records) saveThread(l *liveThread, entries ...storage.Entry) {
	l.publishView()
	if r.threads.byID[l.ID] != l {
		return // retired: it must not come back
	}
	entries = stampEntries(l.Thread, entries)
	if r.commitThread(l.Thread, entries...) != nil {
		l.owed, l.stale = append(l.owed, entries...), true
		r.retryThread(l)
	}
}

// retryThread looks at the thread again in a while, because the store did not take a change of
// it: once, however many it did not take.
func (r *records) retryThread(l *liveThread) {
	r.loop.Retry(l, retryStore, func() {
		if r.threads.byID[l.ID] != l {
			return
		}
		if l.stale {
			r.saveThread(l)
		}
		r.resume(l)
	})
}

// flush is the last try for what the store did not take of threads, when the loop ends.
func (r *records) flush() {
	for _, l := range r.threads.byID {
		if l.stale {
			r.saveThread(l)
		}
	}
}
