package bridge

import (
	"log/slog"
	"slices"
	"time"

	"hermes/internal/loop"
	"hermes/internal/question"
)

// records is the way of threads and updates into the store. It owns what the store has not
// taken yet: the entries and changes of threads are kept with them, those of updates here.
type records struct {
	store   Journal
	log     *slog.Logger
	loop    *loop.Loop
	threads *threads

	resume      func(*live)                       // goes on with a thread whose change the store did not take
	latest      func(question.Chat) question.Chat // what is remembered of the chat by now
	chatsStored func()                            // called when more may be remembered of chats than before

	unsaved  map[question.UpdateID]bool            // handled, and still in the inbox or at Telegram
	unstored map[question.UpdateID]question.Change // what those meant that changed no thread
	troubled string                                // the store's failure that was logged last; empty: it works
}

func newRecords(store Journal, log *slog.Logger, l *loop.Loop, t *threads) *records {
	return &records{
		store: store, log: log, loop: l, threads: t,
		unsaved: map[question.UpdateID]bool{}, unstored: map[question.UpdateID]question.Change{},
	}
}

// saveThread stores a thread and what happened to it. The commit logs its own failure.
func (r *records) saveThread(t question.Thread, entries ...question.Entry) error {
	return r.commit(question.Change{Threads: []question.Thread{t.Clone()}, Entries: stamp(t, entries)})
}

// commit stores a change, and with it what the journal does not have yet of its threads,
// in one transaction. Without an error the store has it, also if it said otherwise: nobody
// may be told then that it has not, nor an entry be written twice.
func (r *records) commit(c question.Change) error {
	owing := r.addOwed(&c)
	err := r.store.Commit(c)
	if err != nil && r.troubled != err.Error() {
		r.log.Error("the store does not take changes", "err", err)
	}
	r.troubled = ""
	if err != nil && !c.StoredAnyway(r.store.Recorded) {
		r.troubled = err.Error()
		for _, id := range c.Consumed {
			r.unsaved[id] = true
		}
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

// addOwed adds the entries that are owed for the change's threads to it, and returns those
// threads.
func (r *records) addOwed(c *question.Change) (list []*live) {
	for _, threads := range [][]question.Thread{c.Threads, c.Retired} {
		for _, t := range threads {
			if l := r.threads.byID[t.ID]; l != nil {
				list = append(list, l)
				c.Entries = append(c.Entries, l.owed...)
			}
		}
	}
	slices.SortStableFunc(c.Entries, func(x, y question.Entry) int { return x.At.Compare(y.At) })
	return list
}

// retire lets go of a thread to which nothing is owed. It can still be found in
// the store, for late taps and replies.
func (b *Bridge) retire(l *live) {
	if b.groups.waitsForOthers(l) || l.boxed() {
		return
	}
	if b.records.commit(question.Change{Retired: []question.Thread{l.Clone()}}) != nil {
		b.records.retryThread(l)
		return
	}
	l.stopTimer()
	delete(b.threads.byID, l.ID)
	b.outcomes.remember(l)
	b.threads.unindex(l)
	for _, t := range b.forum.topicsOf(l.Place.Root) {
		b.forum.closeIfDone(t)
	}
}

// stamp completes journal entries with what is the same in all of a thread's, and with the
// time, unless they have it.
func stamp(t question.Thread, entries []question.Entry) []question.Entry {
	for i := range entries {
		if !entries[i].At.IsZero() {
			continue
		}
		entries[i].At = time.Now()
		entries[i].Thread, entries[i].Request, entries[i].Session = t.ID, t.Request.ID, t.Request.Session
		switch by := entries[i].By; by.Kind {
		case question.Caller, question.OpenCode: // no rule binds them
			if entries[i].Kind == question.EntryAsked {
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
