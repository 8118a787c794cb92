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
// see and decide. A program that answers by id answers that one ask.

// groups keeps equal asks on one card. Which are equal, and which of them leads, is in their
// records (Thread.Leader, Thread.Equals).
type groups struct {
	*engine
	store       Finder
	access      *access
	places      *places
	notifyDelay time.Duration

	followRules func(*liveThread) // decisions.followRules
}

// equalTo finds the open ask that a new one repeats: the same session of the same process
// asks for the same thing, to the letter, in the same directory. What is not known whole is equal to
// nothing. No other ask joins a card that somebody began to act on.
func (g *groups) equalTo(o session.Origin, r question.Request) *liveThread {
	if r.Permission == nil || r.Agent == "" {
		return nil
	}
	for _, l := range g.threads.byID {
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
func (g *groups) followersDecided(next question.Thread) []*liveThread {
	if next.Decision == nil || next.Decision.By.Kind == question.Caller {
		return nil
	}
	var list []*liveThread
	for _, id := range next.Equals {
		if f := g.threads.byID[id]; f != nil && f.Open() {
			list = append(list, f)
		}
	}
	return list
}

// leaderOf is the thread whose card shows this one: itself, if it leads others; nil, if
// it is in no group.
func (g *groups) leaderOf(l *liveThread) *liveThread {
	if len(l.Equals) > 0 {
		return l
	}
	if leader := g.threads.byID[l.Leader]; leader != nil && slices.Contains(leader.Equals, l.ID) {
		return leader
	}
	return nil
}

// leaveGroup changes the cards when one of several equal asks was decided or has ended by
// itself. A follower leaves its leader; the followers of a leader need a new one.
// Where all were decided together, those that ended otherwise say so.
func (g *groups) leaveGroup(l *liveThread) {
	switch leader := g.leaderOf(l); {
	case leader == nil && l.Leader != "" && len(l.Cards) == 0 && l.Outcome != nil && l.Decision != nil && !l.isDecisionOf(*l.Outcome):
		g.tellOwnEnd(l)
	case leader == nil:
	case leader != l && leader.Open():
		leader.dropFollower(l.ID)
		leader.Wizard.Rev++
		g.records.saveThread(leader)
		g.reconcile(leader)
	case leader == l && l.Held != nil && l.Outcome != nil:
		g.askHeldAgain(l)
	case leader == l && l.Decision == nil:
		ids := l.Equals
		l.Thread = l.Clone()
		l.Equals = nil
		g.records.saveThread(l)
		g.chooseLeader(ids, l.Votes)
	default:
		g.splitDifferentEnds(leader)
	}
}

// askHeldAgain asks the followers of a leader again that has ended while their decision was held: no card could take it
// back any more, and nothing of it was sent.
func (g *groups) askHeldAgain(leader *liveThread) {
	ids, votes := leader.Equals, leader.Held.Votes
	for _, id := range ids {
		if f := g.threads.byID[id]; f != nil && f.IsHeld() && f.Leader == leader.ID {
			g.askAgain(f)
		}
	}
	leader.Thread = leader.Clone()
	leader.Equals = nil
	g.records.saveThread(leader)
	g.chooseLeader(ids, votes)
}

// askAgain asks for the decision again that was held for a follower.
func (g *groups) askAgain(f *liveThread) {
	by := f.Decision.By
	f.Thread = f.TakenBack(question.WizardInput{})
	f.Postpone(time.Now().Add(undonePause))
	g.records.saveThread(f, storage.Entry{Kind: storage.EntryUndone, By: by, Detail: "the equal ask has ended"})
}

// splitDifferentEnds gives the followers that ended otherwise than their leader a card of their
// own, when both ends are known.
func (g *groups) splitDifferentEnds(leader *liveThread) {
	if leader.Outcome == nil {
		return
	}
	for _, id := range slices.Clone(leader.Equals) {
		f := g.threads.byID[id]
		if f == nil || f.Outcome == nil || f.Leader != leader.ID {
			continue
		}
		if !f.endedLike(leader) {
			leader.dropFollower(id)
			g.records.saveThread(leader)
			g.tellOwnEnd(f)
		}
		g.reconcile(f)
	}
	g.reconcile(leader)
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
func (g *groups) waitsForOthers(l *liveThread) bool {
	leader := g.leaderOf(l)
	return leader != nil && (leader.Outcome == nil || slices.ContainsFunc(leader.Equals, func(id question.ID) bool {
		f := g.threads.byID[id]
		return f != nil && f.Outcome == nil
	}))
}

// chooseLeader makes the first of the asks that are still open lead the others. Who approved
// the card that stood for them has approved it: nobody joins a card with approvals.
func (g *groups) chooseLeader(ids []question.ID, votes []question.Vote) {
	var leader *liveThread
	for _, id := range ids {
		f := g.threads.byID[id]
		switch {
		case f == nil || !f.Open():
		case leader == nil:
			leader = f
			f.Thread = f.Clone()
			f.Votes = votes
			g.followRules(f) // its rules and its owner may be others since it was decided
			f.Leader, f.Cards = "", g.places.cardsFor(g.access.ruleFor(f).Targets)
			f.ShowAt = time.Now().Add(g.notifyDelay)
		default:
			g.followRules(f)
			f.Thread = f.Clone()
			leader.Thread = leader.withFollower(&f.Thread)
			g.records.saveThread(f)
		}
	}
	if leader != nil {
		g.records.saveThread(leader)
		g.reconcile(leader)
	}
}

// tellOwnEnd gives a follower that has ended cards that say how. It keeps its leader, whose card has asked it.
func (g *groups) tellOwnEnd(l *liveThread) {
	l.Thread = l.Clone()
	l.Cards = g.places.cardsFor(g.access.ruleFor(l).Targets)
	g.records.saveThread(l)
}

// repair mends, at the start, what an end that came between two changes of a group
// has left: followers whom nobody leads, and ends that no card tells.
func (g *groups) repair() {
	orphans := map[question.ID][]question.ID{}
	for _, l := range g.threads.byID {
		leader := g.threads.byID[l.Leader]
		if l.IsHeld() && l.Leader != "" && (leader == nil || !leader.IsHeld()) {
			g.askAgain(l)
		}
		switch {
		case l.Outcome != nil && len(l.Equals) > 0:
			g.splitDifferentEnds(l)
		case l.Leader != "" && l.Open() && (leader == nil || !leader.Open() || !slices.Contains(leader.Equals, l.ID)):
			orphans[l.Leader] = append(orphans[l.Leader], l.ID)
		case len(l.Equals) > 0 && l.Open():
			g.dropClosed(l)
		}
	}
	for former, ids := range orphans {
		g.chooseLeader(ids, g.votesOn(former))
	}
}

// votesOn are the approvals on the card of a thread, retired ones included.
func (g *groups) votesOn(id question.ID) []question.Vote {
	t, _, err := g.store.Find(storage.Key{ID: id})
	if err != nil {
		g.log.Error("cannot read the store", "err", err)
	}
	return t.Votes
}

// dropClosed leaves a leader those followers that are open.
func (g *groups) dropClosed(l *liveThread) {
	for _, id := range slices.Clone(l.Equals) {
		if f := g.threads.byID[id]; f == nil || !f.Open() || f.Leader != l.ID {
			l.dropFollower(id)
			l.Wizard.Rev++
			g.records.saveThread(l)
			g.reconcileEnded(f)
		}
	}
}

// reconcileEnded does what is owed to an ask that has ended and waits for its leader no more; nil: none.
func (g *groups) reconcileEnded(f *liveThread) {
	if f != nil && f.Outcome != nil {
		g.reconcile(f)
	}
}
