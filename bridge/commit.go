package bridge

import (
	"slices"
	"time"

	"hermes/internal/question"
)

// store stores a thread and what happened to it. The commit logs its own failure.
func (b *Bridge) store(t question.Thread, entries ...question.Entry) error {
	return b.commit(question.Change{Threads: []question.Thread{t.Clone()}, Entries: stamp(t, entries)})
}

// commit stores a change, and with it what the journal does not have yet of its threads,
// in one transaction. Without an error the store has it, also if it said otherwise: nobody
// may be told then that it has not, nor an entry be written twice.
func (b *Bridge) commit(c question.Change) error {
	owing := b.owing(&c)
	err := b.config.Store.Commit(c)
	if err != nil && b.troubled != err.Error() {
		b.log.Error("the store does not take changes", "err", err)
	}
	b.troubled = ""
	if err != nil && !c.StoredAnyway(b.config.Store.Recorded) {
		b.troubled = err.Error()
		for _, id := range c.Consumed {
			b.unsaved[id] = true
		}
		b.probe()
		return err
	}
	for _, l := range owing {
		l.owed, l.stale = nil, false
	}
	for _, id := range c.Consumed {
		delete(b.unsaved, id)
		delete(b.unstored, id)
	}
	if len(c.Chats) > 0 {
		b.thin()
	}
	return nil
}

// owing adds the entries that are owed for the change's threads to it, and returns those
// threads.
func (b *Bridge) owing(c *question.Change) (list []*live) {
	for _, threads := range [][]question.Thread{c.Threads, c.Retired} {
		for _, t := range threads {
			if l := b.live[t.ID]; l != nil {
				list = append(list, l)
				c.Entries = append(c.Entries, l.owed...)
			}
		}
	}
	slices.SortStableFunc(c.Entries, func(x, y question.Entry) int { return x.At.Compare(y.At) })
	return list
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
	if err := b.commit(change); err != nil {
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
		b.letGo(c)
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
	if b.together(l) || l.boxed() {
		return
	}
	if b.commit(question.Change{Retired: []question.Thread{l.Clone()}}) != nil {
		b.retry(l)
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
