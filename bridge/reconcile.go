package bridge

import (
	"time"

	"hermes/internal/question"
	"hermes/internal/storage"
)

// confirmPause is when hermes looks for the proof itself, if no event brought it.
const confirmPause = 150 * time.Millisecond

// reconcile starts what the thread needs now and is not under way, and sets a timer for
// when it needs the next thing.
func (b *Bridge) reconcile(l *liveThread) {
	if !b.loop.Running() || b.threads.byID[l.ID] != l {
		return
	}
	steps, _ := l.Next(time.Now())
	for _, s := range steps {
		b.startStep(l, s)
	}
	if b.threads.byID[l.ID] != l {
		return // retired
	}
	_, wake := l.Next(time.Now()) // a step may have changed it
	l.stopTimer()
	if !wake.IsZero() {
		l.timer = b.loop.After(time.Until(wake), func() { b.reconcile(l) })
	}
}

func (b *Bridge) startStep(l *liveThread, s question.Step) {
	switch s.Kind {
	case question.Show, question.Refresh:
		b.display.showCard(l, s.Card)
	case question.Seek:
		b.copies.search(l, s.Card)
	case question.Boxes:
		b.boxes.sendDue(l, s.Card)
	case question.Remind:
		b.deadlines.remind(l)
	case question.Release:
		b.deadlines.endClaim(l)
	case question.Widen:
		b.deadlines.escalate(l)
	case question.Resolve:
		b.delivery.runStep(l, b.delivery.resolve)
	case question.Check:
		b.delivery.runStep(l, b.delivery.check)
	case question.Deliver:
		if l.Request.Admission != nil {
			b.admissions.carryOut(l)
			return
		}
		b.delivery.markBegun(l)
		if l.reported != nil {
			b.delivery.runStep(l, b.delivery.check)
			return
		}
		b.delivery.runStep(l, b.delivery.deliver)
	case question.Confirm:
		b.delivery.runStep(l, b.delivery.check)
	case question.EndHold:
		b.holds.end(l)
	case question.Expire:
		b.deadlines.expire(l)
	case question.GiveUp:
		b.outcomes.settle(l, question.Outcome{Kind: question.OutcomeUnknown})
	case question.Retire:
		b.retire(l)
	}
}

// reload makes of a record what a new process may assume of it.
func reload(t *question.Thread, reachable bool) {
	switch {
	case reachable:
		t.Away = false
	case !t.Away:
		t.Leave(time.Now())
	}
	t.Postpone(time.Now().Add(restartPause))
	t.PostponeHold(time.Now().Add(undoPause))
	if t.Delivery.Begun && t.Delivery.Made == 0 {
		t.Delivery.Made = 1 // it may have been sent
	}
	for i := range t.Cards {
		t.Cards[i].Reloaded()
	}
}

// restartPause is how long people and OpenCode have, at least, after hermes was down: an
// answer may still be in the inbox or at Telegram, people must repeat lost taps, and
// links must be opened again.
const restartPause = 2 * time.Minute

// retire ends the work on a thread to which nothing is owed. It can still be found in
// the store, for late taps and replies.
func (b *Bridge) retire(l *liveThread) {
	if b.groups.waitsForOthers(l) || l.hasBoxSteps() {
		return
	}
	if b.records.commit(storage.Change{Retired: []question.Thread{l.Clone()}}) != nil {
		b.records.retryThread(l)
		return
	}
	l.stopTimer()
	delete(b.threads.byID, l.ID)
	b.outcomes.remember(l)
	b.threads.unindex(l)
	b.forum.CloseIdle(l.Place.Root)
}
