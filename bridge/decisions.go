package bridge

import (
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/storage"
)

// decisions stores decisions, and makes those that the rules make.
type decisions struct {
	*engine
	agents      *agents
	access      *access
	groups      *groups
	deadlines   *deadlines
	notifyDelay time.Duration
}

// decide stores a change that must be stored before anything acts on it, or not be
// at all. A crash before the commit: it never happened, and Telegram or the caller
// says it again. A crash behind it: what it owes is done at the next start.
func (dc *decisions) decide(l *liveThread, next question.Thread, used []chat.UpdateID, entries ...storage.Entry) error {
	next.Delivery.Begun = next.Decision != nil && !next.IsHeld() && !next.Away && dc.agents.reachable(next) // sent at once
	change := storage.Change{
		Threads: []question.Thread{next.Clone()}, Entries: stampEntries(next, slices.Clone(entries)), Consumed: used,
	}
	followers := dc.groups.followersDecided(next)
	for _, f := range followers {
		t := f.Clone()
		if next.IsHeld() {
			t.HoldAs(f.Thread, next.Held.Until)
		}
		t.Decision, t.Votes = next.Decision, next.Votes
		t.Delivery.Begun = !t.IsHeld() && !t.Away && dc.agents.reachable(t)
		t.Rev++
		change.Threads = append(change.Threads, t)
		change.Entries = append(change.Entries, stampEntries(t, slices.Clone(entries))...)
	}
	if err := dc.records.commit(change); err != nil {
		return err
	}
	l.Thread = next
	l.publishView()
	for i, f := range followers {
		f.Thread = change.Threads[i+1]
		dc.reconcile(f)
	}
	return nil
}

// followRules notes what the rules say of an open ask, and shows it so. It is called whenever
// the rules change, or something of the ask that they look at. Approvals and a claim of
// those who may not answer any more are over; fewer that are needed decide nothing by
// themselves.
func (dc *decisions) followRules(l *liveThread) {
	if !l.Open() {
		return
	}
	needs, claim, moved := l.Needs, l.ClaimFor, dc.followOwner(l)
	rule := dc.access.ruleFor(l)
	noteRule(&l.Thread, rule)
	entries := append(dc.access.dropInvalidVotes(l, rule), dc.access.dropInvalidClaim(l, rule)...)
	if moved || l.Needs != needs || l.ClaimFor != claim || len(entries) > 0 {
		l.Rev++
		dc.records.saveThread(l, entries...)
		dc.reconcile(l)
	}
}
