package bridge

import (
	"slices"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/storage"
)

// A decision that a person makes with a tap or a text can be held for a while, so that it can be taken back
// (HERMES_UNDO, and undo in a rule). Whoever may answer the ask may take it back: that asks people again, and sends
// nothing. What a rule decides is held where that rule says so; what a program or the deadline decides never is.
//
// The hold is stored in the commit of the decision. A crash before that: the tap comes again. A crash behind it: the
// rest of the hold runs. What ends it, by time or by Undo, is one commit for all equal asks: nothing is sent before
// it, and nothing is taken back behind it.
type holds struct {
	*engine
	agents    *agents
	access    *access
	groups    *groups
	decisions *decisions
	undo      time.Duration // where no rule says otherwise
}

// undoPause is how long what was held is held at least after a restart: a tap on Undo may wait in the inbox or at
// Telegram.
const undoPause = 2 * time.Second

// undonePause is how long people have, at least, when a decision was taken back: its deadline may be over.
const undonePause = 2 * time.Minute

// keepBack holds the new decision of next, which people have made on before, as long as the rule says. It returns what
// to journal.
func (h *holds) keepBack(before question.Thread, next *question.Thread, rule policy.Rule) []storage.Entry {
	undo := rule.UndoOr(h.undo)
	if undo <= 0 || next.Decision == nil || next.Request.Admission != nil {
		return nil
	}
	next.HoldAs(before, next.Decision.At.Add(undo))
	return []storage.Entry{heldEntry(*next, undo)}
}

func heldEntry(t question.Thread, undo time.Duration) storage.Entry {
	return storage.Entry{Kind: storage.EntryHeld, By: t.Decision.By, Detail: undo.String()}
}

// end ends the hold of an ask, and of all that are decided with it. What was decided by somebody who may not decide it
// any more is not sent: people are asked again, with sound.
func (h *holds) end(l *liveThread) {
	now, held := time.Now(), h.heldWith(l)
	if slices.ContainsFunc(held, func(one *liveThread) bool { return !h.access.stillCounts(one) }) {
		by := l.Decision.By
		h.askAgain(held, question.WizardInput{}, func(t *question.Thread) {
			t.Wizard.Notice = question.Notice{Kind: question.LostRight, Text: by.Name}
			t.RemindAt = slices.Insert(t.RemindAt, 0, now)
		}, storage.Change{}, storage.Entry{Kind: storage.EntryUndone, By: by, Detail: "rights"})
		return
	}
	h.change(held, func(t question.Thread) question.Thread {
		t = t.Released(now)
		t.Delivery.Begun = !t.Away && h.agents.reachable(t) // sent at once
		return t
	}, storage.Change{}, nil)
}

// takeBack takes back what is held, for whoever tapped. The error is the store's: then nothing has changed.
func (h *holds) takeBack(l *liveThread, in inbound.Input) error {
	entry := storage.Entry{Kind: storage.EntryUndone, By: authorOf(in)}
	return h.askAgain(h.heldWith(l), in.Move, func(*question.Thread) {}, storage.Change{Consumed: in.Updates()}, entry)
}

// askAgain takes back the decision of all these asks, of which the first leads, and asks people by the rules of now.
func (h *holds) askAgain(held []*liveThread, move question.WizardInput, alter func(*question.Thread), c storage.Change, entry storage.Entry) error {
	until := time.Now().Add(undonePause)
	err := h.change(held, func(t question.Thread) question.Thread {
		t = t.TakenBack(move)
		t.Postpone(until)
		alter(&t)
		return t
	}, c, &entry)
	if err == nil {
		h.groups.dropClosed(held[0])
		for _, one := range held {
			h.decisions.followRules(one)
		}
		h.reconcile(held[0])
	}
	return err
}

// heldWith are the asks whose decision is held together with this one's, itself first.
func (h *holds) heldWith(l *liveThread) []*liveThread {
	leader := l
	if other := h.groups.leaderOf(l); other != nil && other.IsHeld() {
		leader = other
	}
	list := []*liveThread{leader}
	for _, id := range leader.Equals {
		if f := h.threads.byID[id]; f != nil && f.IsHeld() && f.Leader == leader.ID {
			list = append(list, f)
		}
	}
	return list
}

// change stores a change of all these asks at once, or of none.
func (h *holds) change(list []*liveThread, alter func(question.Thread) question.Thread, c storage.Change, entry *storage.Entry) error {
	var changed []question.Thread
	for _, l := range list {
		t := alter(l.Thread)
		changed = append(changed, t)
		c.Threads = append(c.Threads, t.Clone())
		if entry != nil {
			c.Entries = append(c.Entries, stampEntries(t, []storage.Entry{*entry})...)
		}
	}
	if err := h.records.commit(c); err != nil {
		h.records.retryThread(list[0])
		return err
	}
	for i, l := range list {
		l.Thread = changed[i]
		l.publishView()
	}
	for _, l := range list {
		h.reconcile(l)
	}
	return nil
}
