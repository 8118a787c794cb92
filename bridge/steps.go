package bridge

import (
	"time"

	"hermes/internal/question"
)

// confirmAfter is when hermes looks for the proof itself, if no event brought it.
const confirmAfter = 150 * time.Millisecond

// reconcile starts what the thread needs now and is not under way, and sees to it
// that it is asked again when the next thing becomes due.
func (b *Bridge) reconcile(l *live) {
	if !b.loop.Running() || b.threads.byID[l.ID] != l {
		return
	}
	steps, _ := l.Next(time.Now())
	for _, s := range steps {
		b.start(l, s)
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

func (b *Bridge) start(l *live, s question.Step) {
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
		if l.heard != nil {
			b.delivery.runStep(l, b.delivery.check)
			return
		}
		b.delivery.runStep(l, b.delivery.deliver)
	case question.Confirm:
		b.delivery.runStep(l, b.delivery.check)
	case question.Expire:
		b.deadlines.expire(l)
	case question.GiveUp:
		b.outcomes.settle(l, question.Outcome{Kind: question.OutcomeUnknown})
	case question.Retire:
		b.retire(l)
	}
}
