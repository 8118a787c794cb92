package bridge

import (
	"time"

	"hermes/internal/question"
)

// taken takes in a tap on Claim or Release. A claim is a word to the others: it is
// over when its time is, when it is released, or when the ask has ended.
func (b *Bridge) taken(l *live, in question.Input) {
	rule := b.access.ruleFor(l)
	mine := l.Claim != nil && l.Claim.By.User == in.User.ID
	switch {
	case in.Move.On && rule.Claim <= 0, !in.Move.On && l.Claim == nil:
		b.refuse(in, l.Thread, question.Alert{Kind: question.AlertStale})
	case l.Claim != nil && !mine:
		b.refuse(in, l.Thread, question.Alert{Kind: question.AlertClaimed, Claim: l.Claim})
	case in.Move.On:
		claim := question.Claim{By: author(in), Until: time.Now().Add(rule.Claim)}
		b.setClaim(l, &claim, in, question.EntryClaimed)
	default:
		b.setClaim(l, nil, in, question.EntryReleased)
	}
}

func (b *Bridge) setClaim(l *live, c *question.Claim, in question.Input, kind question.EntryKind) {
	next := l.Clone()
	next.Claim, next.Offline = c, 0
	next.Rev++
	used := []question.UpdateID{in.Update}
	b.acknowledge(in, b.decisions.decide(l, next, used, question.Entry{Kind: kind, By: author(in)}))
	b.reconcile(l)
}
