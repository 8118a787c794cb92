package bridge

import (
	"slices"
	"time"

	"hermes/question"
)

// Equal asks of one session are one card: the first leads, the others follow. Every
// ask keeps a thread, an answer and a proof of its own; they share only what people
// see and decide.

// joined returns the leader with one more follower. A button that was drawn before
// counts no more: whoever taps must have seen how many asks that answers.
func (l *live) joined(t *question.Thread) question.Thread {
	t.Leader = l.ID
	next := l.Clone()
	next.Equals = append(next.Equals, t.ID)
	next.Wizard.Rev++
	next.Rev++
	return next
}

// led lists the followers that a decision is made for as well.
func (b *Bridge) led(next question.Thread) []*live {
	if next.Decision == nil {
		return nil
	}
	var list []*live
	for _, id := range next.Equals {
		if f := b.live[id]; f != nil && f.Open() {
			list = append(list, f)
		}
	}
	return list
}

// part sees to the cards when one of several equal asks has ended: a follower that
// ended by itself is counted no more, and one that ended otherwise than its leader
// says so on a card of its own. The followers of a leader that nobody decided here
// need a new one.
func (b *Bridge) part(l *live) {
	leader := b.live[l.Leader]
	switch {
	case l.Leader != "" && l.Decision == nil && leader != nil && leader.Open():
		leader.Thread = leader.Clone()
		leader.Equals = slices.DeleteFunc(leader.Equals, func(id question.ID) bool { return id == l.ID })
		leader.Wizard.Rev++
		leader.Rev++
		b.keep(leader)
		b.reconcile(leader)
	case l.Leader != "" && l.Decision != nil && !l.says(*l.Outcome):
		b.standAlone(l)
		doubt(&l.Thread)
		b.keep(l)
	case l.Decision == nil:
		b.promote(l.Equals)
	}
}

// promote makes the first of the asks that are still open lead the others.
func (b *Bridge) promote(ids []question.ID) {
	var leader *live
	for _, id := range ids {
		f := b.live[id]
		switch {
		case f == nil || !f.Open():
		case leader == nil:
			leader = f
			b.standAlone(f)
		default:
			leader.Thread = leader.joined(&f.Thread)
			b.keep(f)
		}
	}
	if leader != nil {
		b.keep(leader)
		b.reconcile(leader)
	}
}

// standAlone gives a follower cards of its own.
func (b *Bridge) standAlone(l *live) {
	l.Thread = l.Clone()
	l.Leader, l.Cards = "", b.cardsFor(b.rule(l).Targets)
	l.ShowAt = time.Now().Add(b.config.NotifyDelay)
}

// adoptOrphans finds, at the start, followers whose leader is not there any more, or
// was decided without them.
func (b *Bridge) adoptOrphans() {
	for _, l := range b.live {
		leader := b.live[l.Leader]
		if l.Leader != "" && l.Open() && (leader == nil || !leader.Open()) {
			b.promote([]question.ID{l.ID})
		}
	}
}
