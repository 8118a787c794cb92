package bridge

import (
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/storage"
)

// takeClaim acts on a tap on Claim or Release. A claim tells the others that somebody works
// on the ask. It ends when its time is, when it is released, or when the ask has ended.
func (an *answers) takeClaim(l *liveThread, in inbound.Input) {
	rule := an.access.ruleFor(l)
	mine := l.Claim != nil && l.Claim.By.User == in.User.ID
	switch {
	case in.Move.On && rule.Claim <= 0, !in.Move.On && l.Claim == nil:
		an.refuseTap(in, l.Thread, outbound.Alert{Kind: outbound.AlertStale})
	case l.Claim != nil && !mine:
		an.refuseTap(in, l.Thread, outbound.Alert{Kind: outbound.AlertClaimed, Claim: l.Claim})
	case in.Move.On:
		claim := question.Claim{By: authorOf(in), Until: time.Now().Add(rule.Claim)}
		an.setClaim(l, &claim, in, storage.EntryClaimed)
	default:
		an.setClaim(l, nil, in, storage.EntryReleased)
	}
}

func (an *answers) setClaim(l *liveThread, c *question.Claim, in inbound.Input, kind storage.EntryKind) {
	next := l.Clone()
	next.Claim, next.Offline = c, 0
	next.Rev++
	used := []chat.UpdateID{in.Update}
	an.acknowledge(in, an.decisions.decide(l, next, used, storage.Entry{Kind: kind, By: authorOf(in)}))
	an.reconcile(l)
}
