package bridge

import (
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// addVote notes an approval of a permission that several people must approve. The
// last one needed decides; one before leaves the card as it was, with one name more.
// It returns the thread after it, and what happened.
func (b *Bridge) addVote(l *liveThread, in inbound.Input, w question.Wizard, rule policy.Rule) (question.Thread, storage.Entry) {
	by := in.Author()
	next := l.Clone()
	others := slices.DeleteFunc(b.access.validVotes(next, rule), func(v question.Vote) bool { return v.By.User == by.User })
	next.Votes = append(others, question.Vote{By: by, Answers: w.Answers(l.Request), At: time.Now()})
	next.Offline = 0
	next.Rev++
	if len(next.Votes) < rule.Approvals {
		next.Wizard = w.Unvoted(l.Wizard)
		return next.CloseUnsure(), storage.Entry{Kind: storage.EntryApproved, By: by, Answers: w.Answers(l.Request)}
	}
	next.Wizard = w
	next.Decision = &question.Decision{Answers: question.Together(next.Votes), By: by, At: time.Now()}
	return next, storage.Entry{Kind: storage.EntryAnswered, By: by, Answers: next.Decision.Answers}
}

// isOneOfSeveral reports whether a finished conversation is one of several approvals: also
// where the rules ask for one by now, and there are some.
func (l *liveThread) isOneOfSeveral(w question.Wizard, rule policy.Rule) bool {
	return l.Request.Permission != nil && w.State == question.Answered && (rule.Approvals > 1 || len(l.Votes) > 0)
}

// isRepeatedVote reports whether it is a second approval of the same person, of which nothing
// would come. Where there are enough, since the rules ask for fewer, it decides.
func (b *Bridge) isRepeatedVote(l *liveThread, in inbound.Input, w question.Wizard, rule policy.Rule) bool {
	return l.isOneOfSeveral(w, rule) && l.Voted(in.User.ID) && len(b.access.validVotes(l.Thread, rule)) < rule.Approvals
}

// refuseRepeatedVote tells a person that they have approved already.
func (b *Bridge) refuseRepeatedVote(l *liveThread, in inbound.Input, rule policy.Rule) {
	b.refuseTap(in, l.Thread, refusal{storage.RefusedVoted, ui.Voted(len(b.access.validVotes(l.Thread, rule)), rule.Approvals)})
}

// takeClaim acts on a tap on Claim or Release. A claim tells the others that somebody works
// on the ask. It ends when its time is, when it is released, or when the ask has ended.
func (b *Bridge) takeClaim(l *liveThread, in inbound.Input) {
	rule := b.access.ruleFor(l)
	mine := l.Claim != nil && l.Claim.By.User == in.User.ID
	switch {
	case in.Move.On && rule.Claim <= 0, !in.Move.On && l.Claim == nil:
		b.refuseTap(in, l.Thread, refusal{storage.RefusedStale, ui.Stale()})
	case l.Claim != nil && !mine:
		b.refuseTap(in, l.Thread, refusal{storage.RefusedClaimed, ui.Claimed(l.Claim)})
	case in.Move.On:
		claim := question.Claim{By: in.Author(), Until: time.Now().Add(rule.Claim)}
		b.setClaim(l, &claim, in, storage.EntryClaimed)
	default:
		b.setClaim(l, nil, in, storage.EntryReleased)
	}
}

func (b *Bridge) setClaim(l *liveThread, c *question.Claim, in inbound.Input, kind storage.EntryKind) {
	next := l.Clone()
	next.Claim, next.Offline = c, 0
	next.Rev++
	used := []chat.UpdateID{in.Update}
	b.decide(l, next, used, storage.Entry{Kind: kind, By: in.Author()})
	b.acknowledge(in)
	b.reconcile(l)
}
