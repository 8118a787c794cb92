package bridge

import (
	"reflect"
	"slices"
	"time"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// Equal asks of one session are one card: the first leads, the others follow. Every
// ask keeps a thread, an answer and a proof of its own; they share only what people
// see and decide. A program that answers by id answers that one ask. Which are equal, and which of them leads, is in
// their records (Thread.Leader, Thread.Equals).

// equalTo finds the open ask that a new one repeats: the same session of the same process
// asks for the same thing, to the letter, in the same directory. What is not known whole is equal to
// nothing. No other ask joins a card that somebody began to act on.
func (b *Bridge) equalTo(o session.Origin, r question.Request) *liveThread {
	if r.Permission == nil || r.Agent == "" {
		return nil
	}
	for _, l := range b.threads.byID {
		if l.FromProcess(o) && l.isRepeatedBy(r) && l.isIn(o.Directory) && l.Leader == "" && l.Open() && l.Wizard.Step == question.StepGrant && len(l.Votes) == 0 {
			return l
		}
	}
	return nil
}

func (l *liveThread) isRepeatedBy(r question.Request) bool {
	return l.Request.ID != r.ID && l.Request.Session == r.Session && l.Request.Protocol == r.Protocol && l.Request.Agent == r.Agent &&
		reflect.DeepEqual(l.Request.Permission, r.Permission)
}

func (l *liveThread) isIn(directory string) bool {
	return slices.ContainsFunc(l.Origins, func(o session.Origin) bool { return o.Directory == directory })
}

// withFollower returns the leader with one more follower. A button that was drawn before
// has no effect any more: whoever taps must have seen how many asks that answers.
func (l *liveThread) withFollower(t *question.Thread) question.Thread {
	t.Leader = l.ID
	next := l.Clone()
	next.Equals = append(next.Equals, t.ID)
	next.Wizard.Rev++
	next.Rev++
	return next
}

// followersDecided lists the followers that a decision is made for as well.
func (b *Bridge) followersDecided(next question.Thread) []*liveThread {
	if next.Decision == nil || next.Decision.By.Kind == question.Caller {
		return nil
	}
	var list []*liveThread
	for _, id := range next.Equals {
		if f := b.threads.byID[id]; f != nil && f.Open() {
			list = append(list, f)
		}
	}
	return list
}

// leaderOf is the thread whose card shows this one: itself, if it leads others; nil, if
// it is in no group.
func (b *Bridge) leaderOf(l *liveThread) *liveThread {
	if len(l.Equals) > 0 {
		return l
	}
	if leader := b.threads.byID[l.Leader]; leader != nil && slices.Contains(leader.Equals, l.ID) {
		return leader
	}
	return nil
}

// leaveGroup changes the cards when one of several equal asks was decided or has ended by
// itself. A follower leaves its leader; the followers of a leader need a new one.
// Where all were decided together, those that ended otherwise say so.
func (b *Bridge) leaveGroup(l *liveThread) {
	switch leader := b.leaderOf(l); {
	case leader == nil && l.Leader != "" && len(l.Cards) == 0 && l.Outcome != nil && l.Decision != nil && !l.isDecisionOf(*l.Outcome):
		b.tellOwnEnd(l)
	case leader == nil:
	case leader != l && leader.Open():
		leader.dropFollower(l.ID)
		leader.Wizard.Rev++
		b.saveThread(leader)
		b.reconcile(leader)
	case leader == l && l.Held != nil && l.Outcome != nil:
		b.askHeldAgain(l)
	case leader == l && l.Decision == nil:
		ids := l.Equals
		l.Thread = l.Clone()
		l.Equals = nil
		b.saveThread(l)
		b.chooseLeader(ids, l.Votes)
	default:
		b.splitDifferentEnds(leader)
	}
}

// askHeldAgain asks the followers of a leader again that has ended while their decision was held: no card could take it
// back any more, and nothing of it was sent.
func (b *Bridge) askHeldAgain(leader *liveThread) {
	ids, votes := leader.Equals, leader.Held.Votes
	for _, id := range ids {
		if f := b.threads.byID[id]; f != nil && f.IsHeld() && f.Leader == leader.ID {
			b.askFollower(f)
		}
	}
	leader.Thread = leader.Clone()
	leader.Equals = nil
	b.saveThread(leader)
	b.chooseLeader(ids, votes)
}

// askFollower asks for the decision again that was held for a follower.
func (b *Bridge) askFollower(f *liveThread) {
	by := f.Decision.By
	f.Thread = f.TakenBack(question.WizardInput{})
	f.Postpone(time.Now().Add(undonePause))
	b.saveThread(f, storage.Entry{Kind: storage.EntryUndone, By: by, Detail: "the equal ask has ended"})
}

// splitDifferentEnds gives the followers that ended otherwise than their leader a card of their
// own, when both ends are known.
func (b *Bridge) splitDifferentEnds(leader *liveThread) {
	if leader.Outcome == nil {
		return
	}
	for _, id := range slices.Clone(leader.Equals) {
		f := b.threads.byID[id]
		if f == nil || f.Outcome == nil || f.Leader != leader.ID {
			continue
		}
		if !f.endedLike(leader) {
			leader.dropFollower(id)
			b.saveThread(leader)
			b.tellOwnEnd(f)
		}
		b.reconcile(f)
	}
	b.reconcile(leader)
}

// endedLike reports whether the leader's card tells the follower's end as well.
func (l *liveThread) endedLike(leader *liveThread) bool {
	mine, its := l.Outcome, leader.Outcome
	return mine.Kind == its.Kind && mine.By == its.By && mine.Begun == its.Begun && mine.WentOn == its.WentOn &&
		(mine.Answers == nil || its.Answers == nil || mine.Answers.Equal(its.Answers))
}

// dropFollower counts a follower no more.
func (l *liveThread) dropFollower(id question.ID) {
	l.Thread = l.Clone()
	l.Equals = slices.DeleteFunc(l.Equals, func(other question.ID) bool { return other == id })
	l.Rev++
}

// waitsForOthers reports whether the card that stands for the thread waits for the end of
// another: none of them is retired before.
func (b *Bridge) waitsForOthers(l *liveThread) bool {
	leader := b.leaderOf(l)
	return leader != nil && (leader.Outcome == nil || slices.ContainsFunc(leader.Equals, func(id question.ID) bool {
		f := b.threads.byID[id]
		return f != nil && f.Outcome == nil
	}))
}

// chooseLeader makes the first of the asks that are still open lead the others. Who approved
// the card that stood for them has approved it: nobody joins a card with approvals.
func (b *Bridge) chooseLeader(ids []question.ID, votes []question.Vote) {
	var leader *liveThread
	for _, id := range ids {
		f := b.threads.byID[id]
		switch {
		case f == nil || !f.Open():
		case leader == nil:
			leader = f
			f.Thread = f.Clone()
			f.Votes = votes
			b.followRules(f) // its rules and its owner may be others since it was decided
			f.Leader, f.Cards = "", b.cardsFor(b.access.ruleFor(f).Targets)
			f.ShowAt = time.Now().Add(b.config.NotifyDelay)
		default:
			b.followRules(f)
			f.Thread = f.Clone()
			leader.Thread = leader.withFollower(&f.Thread)
			b.saveThread(f)
		}
	}
	if leader != nil {
		b.saveThread(leader)
		b.reconcile(leader)
	}
}

// tellOwnEnd gives a follower that has ended cards that say how. It keeps its leader, whose card has asked it.
func (b *Bridge) tellOwnEnd(l *liveThread) {
	l.Thread = l.Clone()
	l.Cards = b.cardsFor(b.access.ruleFor(l).Targets)
	b.saveThread(l)
}

// repairGroups mends, at the start, what an end that came between two changes of a group
// has left: followers whom nobody leads, and ends that no card tells.
func (b *Bridge) repairGroups() {
	orphans := map[question.ID][]question.ID{}
	for _, l := range b.threads.byID {
		leader := b.threads.byID[l.Leader]
		if l.IsHeld() && l.Leader != "" && (leader == nil || !leader.IsHeld()) {
			b.askFollower(l)
		}
		switch {
		case l.Outcome != nil && len(l.Equals) > 0:
			b.splitDifferentEnds(l)
		case l.Leader != "" && l.Open() && (leader == nil || !leader.Open() || !slices.Contains(leader.Equals, l.ID)):
			orphans[l.Leader] = append(orphans[l.Leader], l.ID)
		case len(l.Equals) > 0 && l.Open():
			b.dropClosed(l)
		}
	}
	for former, ids := range orphans {
		b.chooseLeader(ids, b.votesOn(former))
	}
}

// votesOn are the approvals on the card of a thread, retired ones included.
func (b *Bridge) votesOn(id question.ID) []question.Vote {
	t, _, err := b.config.Store.Find(storage.Key{ID: id})
	if err != nil {
		b.log.Error("cannot read the store", "err", err)
	}
	return t.Votes
}

// dropClosed leaves a leader those followers that are open.
func (b *Bridge) dropClosed(l *liveThread) {
	for _, id := range slices.Clone(l.Equals) {
		if f := b.threads.byID[id]; f == nil || !f.Open() || f.Leader != l.ID {
			l.dropFollower(id)
			l.Wizard.Rev++
			b.saveThread(l)
			b.reconcileEnded(f)
		}
	}
}

// reconcileEnded does what is owed to an ask that has ended and waits for its leader no more; nil: none.
func (b *Bridge) reconcileEnded(f *liveThread) {
	if f != nil && f.Outcome != nil {
		b.reconcile(f)
	}
}
