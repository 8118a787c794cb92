package bridge

import (
	"slices"
	"time"

	"hermes/question"
)

// retryStore is when a change that the store did not take is offered again.
const retryStore = 5 * time.Second

// store stores a thread and what happened to it. The commit logs its own failure.
func (b *Bridge) store(t question.Thread, entries ...question.Entry) error {
	return b.commit(question.Change{Threads: []question.Thread{t.Clone()}, Entries: stamp(t, entries)})
}

func (b *Bridge) commit(c question.Change) error {
	err := b.config.Store.Commit(c)
	if err != nil && b.troubled != err.Error() {
		b.log.Error("the store does not take changes", "err", err)
	}
	b.troubled = ""
	if err != nil {
		b.troubled = err.Error()
	}
	for _, id := range c.Consumed {
		if b.unsaved[id] = true; err == nil {
			delete(b.unsaved, id)
		}
	}
	if len(c.Chats) > 0 {
		b.thin()
	}
	return err
}

// keep stores the thread as it is now, together with what happened to it. What has
// happened has happened: if the store fails, the loop goes on with what it knows,
// and the next change of the thread, or a later try, stores it.
func (b *Bridge) keep(l *live, entries ...question.Entry) {
	l.publish()
	if b.live[l.ID] != l {
		return // retired: it must not come back
	}
	if b.store(l.Thread, entries...) != nil {
		b.later(l, retryStore, func() { b.keep(l, entries...) })
	}
}

// decide stores a change that must be stored before anything acts on it, or not be
// at all. A crash before the commit: it never happened, and Telegram or the caller
// says it again. A crash behind it: what it owes is done at the next start.
func (b *Bridge) decide(l *live, next question.Thread, used []question.UpdateID, entries ...question.Entry) error {
	next.Delivery.Begun = next.Decision != nil && !next.Away && b.reachable(next) // sent at once
	change := question.Change{
		Threads: []question.Thread{next.Clone()}, Entries: stamp(next, slices.Clone(entries)), Consumed: used,
	}
	followers := b.led(next)
	for _, f := range followers {
		t := f.Clone()
		t.Decision, t.Votes, t.Delivery.Begun = next.Decision, next.Votes, !t.Away && b.reachable(t)
		t.Rev++
		change.Threads = append(change.Threads, t)
		change.Entries = append(change.Entries, stamp(t, slices.Clone(entries))...)
	}
	err := b.commit(change)
	if err != nil && !b.storedAnyway(next) {
		return err
	}
	l.Thread = next
	l.publish()
	for i, f := range followers {
		f.Thread = change.Threads[i+1]
		b.reconcile(f)
	}
	return nil
}

// storedAnyway reports whether a commit that failed was carried out all the same:
// nobody may be told then that it was not, nor a question asked by a second thread.
func (b *Bridge) storedAnyway(next question.Thread) bool {
	t, ok, err := b.config.Store.Find(question.Key{ID: next.ID})
	return err == nil && ok && t.Rev == next.Rev && (t.Decision == nil) == (next.Decision == nil)
}

// consume forgets an update that changed no thread.
func (b *Bridge) consume(used question.UpdateID, entries ...question.Entry) {
	_ = b.commit(question.Change{Consumed: []question.UpdateID{used}, Entries: entries}) // it comes again after a restart
}

// setChat changes what is remembered of a chat.
func (b *Bridge) setChat(id question.ChatID, used question.UpdateID, alter func(*question.Chat)) {
	chat := b.chat(id)
	before := chat
	if alter(&chat); chat != before {
		chat.Seen = time.Now().Round(0)
	}
	b.chats[id] = chat
	b.langs.Store(id, chat.Lang)
	c := question.Change{Chats: []question.Chat{chat}}
	if used != 0 {
		c.Consumed = []question.UpdateID{used}
	}
	if chat != before || used != 0 {
		_ = b.commit(c) // remembered until the process ends
	}
}

// Lang is the language of the person who acted in the chat last; empty: nobody
// did. It never waits.
func (b *Bridge) Lang(id question.ChatID) string {
	lang, _ := b.langs.Load(id)
	text, _ := lang.(string)
	return text
}

func (b *Bridge) chat(id question.ChatID) question.Chat {
	chat := b.chats[id]
	chat.ID = id
	return chat
}

// retire lets go of a thread to which nothing is owed. It can still be found in
// the store, for late taps and replies.
func (b *Bridge) retire(l *live) {
	if b.together(l) {
		return
	}
	if b.commit(question.Change{Retired: []question.Thread{l.Clone()}}) != nil {
		b.later(l, retryStore, func() { b.reconcile(l) })
		return
	}
	l.stopTimer()
	delete(b.live, l.ID)
	b.remember(l)
	b.unindex(l)
	for _, t := range b.topicsOf(l.Place.Root) {
		b.tidy(t)
	}
}

// stamp completes journal entries with what is the same in all of a thread's.
func stamp(t question.Thread, entries []question.Entry) []question.Entry {
	for i := range entries {
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

// later runs f in the loop after a while, if the thread is still there then.
func (b *Bridge) later(l *live, d time.Duration, f func()) {
	ctx := b.ctx
	if ctx == nil {
		return
	}
	time.AfterFunc(d, func() {
		_ = b.do(ctx, func() { // the loop has ended: the next start does it
			if b.live[l.ID] == l {
				f()
			}
		})
	})
}
