package bridge

import (
	"log/slog"
	"reflect"
	"slices"
	"time"

	"hermes/internal/question"
)

// Equal asks of one session are one card: the first leads, the others follow. Every
// ask keeps a thread, an answer and a proof of its own; they share only what people
// see and decide. A program that answers by id answers that one ask.

// groups are the equal asks. The records of their threads say which these are.
type groups struct {
	store       Finder
	log         *slog.Logger
	threads     *threads
	records     *records
	access      *access
	places      *places
	display     *display
	notifyDelay time.Duration
	reconcile   func(*live)
}

// equalTo finds the open ask that a new one repeats: the same session of the same process
// asks for the same thing, to the letter, in the same directory. What is not known whole is equal to
// nothing. A card that somebody began to act on stands for itself.
func (g *groups) equalTo(o question.Origin, r question.Request) *live {
	if r.Permission == nil || r.Agent == "" {
		return nil
	}
	for _, l := range g.threads.byID {
		if l.FromProcess(o) && l.repeatedBy(r) && l.in(o.Directory) && l.Leader == "" && l.Open() && l.Wizard.Step == question.StepGrant && len(l.Votes) == 0 {
			return l
		}
	}
	return nil
}

func (l *live) repeatedBy(r question.Request) bool {
	return l.Request.ID != r.ID && l.Request.Session == r.Session && l.Request.Protocol == r.Protocol && l.Request.Agent == r.Agent &&
		reflect.DeepEqual(l.Request.Permission, r.Permission)
}

func (l *live) in(directory string) bool {
	return slices.ContainsFunc(l.Origins, func(o question.Origin) bool { return o.Directory == directory })
}

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

// followersDecided lists the followers that a decision is made for as well.
func (g *groups) followersDecided(next question.Thread) []*live {
	if next.Decision == nil || next.Decision.By.Kind == question.Caller {
		return nil
	}
	var list []*live
	for _, id := range next.Equals {
		if f := g.threads.byID[id]; f != nil && f.Open() {
			list = append(list, f)
		}
	}
	return list
}

// leaderOf is the thread whose card stands for this one: itself, if it leads others;
// nil, if it stands for itself.
func (g *groups) leaderOf(l *live) *live {
	if len(l.Equals) > 0 {
		return l
	}
	if leader := g.threads.byID[l.Leader]; leader != nil && slices.Contains(leader.Equals, l.ID) {
		return leader
	}
	return nil
}

// leave sees to the cards when one of several equal asks was decided or has ended by
// itself. A follower is counted no more; the followers of a leader need a new one.
// Where all were decided together, those that ended otherwise say so.
func (g *groups) leave(l *live) {
	switch leader := g.leaderOf(l); {
	case leader == nil && l.Leader != "" && l.Outcome != nil && l.Decision != nil && !l.says(*l.Outcome):
		g.tellOwnEnd(l)
	case leader == nil:
	case leader != l && leader.Open():
		leader.drop(l.ID)
		leader.Wizard.Rev++
		g.records.keep(leader)
		g.reconcile(leader)
	case leader == l && l.Decision == nil:
		ids := l.Equals
		l.Thread = l.Clone()
		l.Equals = nil
		g.records.keep(l)
		g.chooseLeader(ids, l.Votes)
	default:
		g.splitDifferentEnds(leader)
	}
}

// splitDifferentEnds gives the followers that ended otherwise than their leader a card of their
// own, when both ends are known.
func (g *groups) splitDifferentEnds(leader *live) {
	if leader.Outcome == nil {
		return
	}
	for _, id := range slices.Clone(leader.Equals) {
		f := g.threads.byID[id]
		if f == nil || f.Outcome == nil || f.Leader != leader.ID {
			continue
		}
		if !f.endedAs(leader) {
			leader.drop(id)
			g.records.keep(leader)
			g.tellOwnEnd(f)
		}
		g.reconcile(f)
	}
	g.reconcile(leader)
}

// endedAs reports whether the leader's card tells the follower's end as well.
func (l *live) endedAs(leader *live) bool {
	mine, its := l.Outcome, leader.Outcome
	return mine.Kind == its.Kind && mine.By == its.By && mine.Begun == its.Begun &&
		(mine.Answers == nil || its.Answers == nil || mine.Answers.Equal(its.Answers))
}

// drop counts a follower no more.
func (l *live) drop(id question.ID) {
	l.Thread = l.Clone()
	l.Equals = slices.DeleteFunc(l.Equals, func(other question.ID) bool { return other == id })
	l.Rev++
}

// waitsForOthers reports whether the card that stands for the thread waits for the end of
// another: none of them is let go of before.
func (g *groups) waitsForOthers(l *live) bool {
	leader := g.leaderOf(l)
	return leader != nil && (leader.Outcome == nil || slices.ContainsFunc(leader.Equals, func(id question.ID) bool {
		f := g.threads.byID[id]
		return f != nil && f.Outcome == nil
	}))
}

// chooseLeader makes the first of the asks that are still open lead the others. Who approved
// the card that stood for them has approved it: nobody joins a card with approvals.
func (g *groups) chooseLeader(ids []question.ID, votes []question.Vote) {
	var leader *live
	for _, id := range ids {
		f := g.threads.byID[id]
		switch {
		case f == nil || !f.Open():
		case leader == nil:
			leader = f
			g.giveOwnCards(f)
			f.Votes = votes
		default:
			f.Thread = f.Clone()
			leader.Thread = leader.joined(&f.Thread)
			g.records.keep(f)
		}
	}
	if leader != nil {
		g.records.keep(leader)
		g.reconcile(leader)
	}
}

// giveOwnCards gives a follower cards of its own.
func (g *groups) giveOwnCards(l *live) {
	l.Thread = l.Clone()
	l.Leader, l.Cards = "", g.places.cardsFor(g.access.ruleFor(l).Targets)
	l.ShowAt = time.Now().Add(g.notifyDelay)
}

// tellOwnEnd gives a follower that has ended cards that say how.
func (g *groups) tellOwnEnd(l *live) {
	g.giveOwnCards(l)
	g.display.markSending(&l.Thread)
	for i := range l.Cards {
		l.Cards[i].Reloaded() // the leader's card has told of it: the end is told, too
	}
	g.records.keep(l)
}

// repair mends, at the start, what an end that came between two changes of a group
// has left: followers whom nobody leads, and ends that no card tells.
func (g *groups) repair() {
	orphans := map[question.ID][]question.ID{}
	for _, l := range g.threads.byID {
		leader := g.threads.byID[l.Leader]
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
	t, _, err := g.store.Find(question.Key{ID: id})
	if err != nil {
		g.log.Error("cannot read the store", "err", err)
	}
	return t.Votes
}

// dropClosed leaves a leader those followers that are open.
func (g *groups) dropClosed(l *live) {
	for _, id := range slices.Clone(l.Equals) {
		if f := g.threads.byID[id]; f == nil || !f.Open() || f.Leader != l.ID {
			l.drop(id)
			l.Wizard.Rev++
			g.records.keep(l)
		}
	}
}

// joinEqual lets an ask that nobody was shown follow the equal ask of its process, as it
// would have if that had announced it.
func (g *groups) joinEqual(l *live, o question.Origin) {
	leader := g.equalTo(o, l.Request)
	if leader == nil || leader == l || !l.Open() || l.Leader != "" || len(l.Equals) > 0 || l.Shown() || len(l.cards) > 0 {
		return
	}
	l.Cards = nil
	leader.Thread = leader.joined(&l.Thread)
	g.records.keep(leader)
	g.records.keep(l)
	g.reconcile(leader)
}
