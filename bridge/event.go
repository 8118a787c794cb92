package bridge

import (
	"context"
	"errors"
	"time"

	"hermes/internal/question"
)

// settleIn is how long after a sign that a request may have ended hermes looks:
// an answer that caused the sign is told by an event of its own just before.
const settleIn = 100 * time.Millisecond

// Event takes in what OpenCode said, and returns when that is stored, or Run has
// ended: what is lost then is listed again at the next start.
func (b *Bridge) Event(e question.Event) {
	_ = b.loop.Do(context.Background(), func() { b.event(e) })
}

func (b *Bridge) event(e question.Event) {
	switch e.Kind {
	case question.Opened:
		b.opened(e)
	case question.Asked:
		for _, ask := range e.Asks {
			b.asked(e.Origin, ask)
		}
	case question.Captured:
		for _, ask := range e.Asks {
			b.captured(e.Origin, ask)
		}
	case question.Replied, question.Rejected:
		b.ended(e)
	case question.Touched:
		b.touched(e)
	case question.Finished:
		b.touched(e)
		b.forum.sessionEnded(e.Origin, e.Session)
	case question.Named:
		b.named(e)
	case question.Lost:
		b.lost(e.Origin)
	case question.Closed:
		b.closed(e.Origin)
	}
}

// opened compares what waits at an origin with the records. A record that is not
// in the list is only a reason to look.
func (b *Bridge) opened(e question.Event) {
	listed := map[question.RequestID]bool{}
	for _, ask := range e.Asks {
		listed[ask.Request.ID] = true
		b.asked(e.Origin, ask)
	}
	for _, l := range b.threads.seenAt(e.Origin, "") {
		b.back(l)
		if !listed[l.Request.ID] && l.Outcome == nil {
			l.CheckAt = time.Now()
			l.Delivery.Next = time.Time{}
		}
		b.reconcile(l)
	}
}

// asked takes in a request that waits. The same one may be told many times, and for
// several directories of its process.
func (b *Bridge) asked(o question.Origin, ask question.Ask) {
	if l := b.threads.ofRequest(o, ask.Request.ID); l != nil {
		b.seen(l, o, ask)
		return
	}
	l := b.threads.capturedCall(o, ask.Request)
	if b.ownership.serverAsks(o, ask.Request) {
		if l != nil {
			b.outcomes.settle(l, question.Outcome{Kind: question.OutcomeVoid}) // it has a thread of its own
		}
		return
	}
	if l != nil {
		b.delivery.noteResolved(l, ask.Request)
		b.seen(l, o, ask)
		return
	}
	if b.takeOver(o, ask) {
		return
	}
	if !b.settledBefore(o, ask.Request.ID) {
		b.ownership.accuse(question.Event{Kind: question.Asked, Origin: o}, ask.Request.ID)
		b.create(o, ask)
	}
}

// settledBefore reports whether a retired thread proves that the request is no
// news. One that ended without proof and waits all the same is news, and so is one of
// which the store cannot read what it kept.
func (b *Bridge) settledBefore(o question.Origin, id question.RequestID) bool {
	t, ok, err := b.config.Store.Find(question.Key{Request: id, Origin: o})
	if err != nil && !errors.Is(err, question.ErrUnreadable) {
		b.log.Error("cannot read the store", "err", err)
	}
	if !ok || t.Outcome == nil {
		return false
	}
	return t.Outcome.Kind == question.OutcomeAnswered || t.Outcome.Kind == question.OutcomeDismissed
}

// seen adds a way to a thread.
func (b *Bridge) seen(l *live, o question.Origin, ask question.Ask) {
	changed := !l.From(o)
	if changed {
		l.Origins = append(l.Clone().Origins, o)
	}
	if l.placed(ask.Place) {
		changed = true
		b.forum.sessionRenamed(l)
	}
	changed = l.detailed(ask.Request) || changed
	if l.Away {
		b.back(l)
	} else if changed {
		b.records.keep(l)
	}
	b.decisions.applyRule(l)
	b.decisions.followRules(l) // another rule may fit what is known now
	b.reconcile(l)
}

// detailed takes in what was not known of an ask before; of a permission ask, unless a
// chat shows it: what is on screen says that it is not all, and does not change its
// meaning.
func (l *live) detailed(r question.Request) bool {
	if r.Agent == "" || l.Request.Agent != "" || !l.Open() {
		return false
	}
	if r.Permission == nil {
		l.Request.Agent = r.Agent
		return true
	}
	if l.Shown() || len(l.cards) > 0 {
		return false
	}
	l.Request.Agent, l.Request.Permission = r.Agent, r.Permission
	l.Rev++
	return true
}

// back notes that a thread can be reached again.
func (b *Bridge) back(l *live) {
	if !l.Away {
		return
	}
	l.Away = false
	l.Delivery.Next = time.Time{}
	if l.Decision != nil {
		l.Rev++
	}
	b.records.keep(l)
}

// captured takes in a question tool call whose request is not known yet.
func (b *Bridge) captured(o question.Origin, ask question.Ask) {
	for _, l := range b.threads.byID {
		same := l.Request.Session == ask.Request.Session && l.Request.Call == ask.Request.Call && l.FromProcess(o)
		if same && l.Outcome == nil {
			return
		}
	}
	if !b.ownership.serverCalls(o, ask.Request) {
		b.create(o, ask)
	}
}

func (b *Bridge) touched(e question.Event) {
	for _, l := range b.threads.seenAt(e.Origin, e.Session) {
		if l.Outcome == nil {
			l.CheckAt = time.Now().Add(settleIn)
			if !l.Delivery.SentAt.IsZero() {
				l.Delivery.Next = l.CheckAt
			}
			b.reconcile(l)
		}
	}
}

// named takes in the new name of the place that a question comes from.
func (b *Bridge) named(e question.Event) {
	for _, ask := range e.Asks {
		if l := b.threads.ofRequest(e.Origin, ask.Request.ID); l != nil && l.placed(ask.Place) {
			b.records.keep(l)
			b.forum.sessionRenamed(l)
			b.decisions.applyRule(l)
			b.decisions.followRules(l)
			b.reconcile(l)
		}
	}
}

// placed notes where a question comes from, and reports whether that is new. A card
// that was shown without is changed for it; another name waits for the next edit.
func (l *live) placed(p question.Place) bool {
	if p.Root == "" || p == l.Place {
		return false
	}
	if l.Place.Root == "" && l.Outcome == nil {
		l.Rev++
	}
	l.Place = p
	return true
}

func (b *Bridge) lost(o question.Origin) {
	for _, l := range b.threads.seenAt(o, "") {
		if l.heard != nil && l.Outcome == nil && !b.agents.reachable(l.Thread) {
			b.permissions.settleHeard(l, l.unseenNote())
		}
		if !l.Away && !b.agents.reachable(l.Thread) {
			l.Leave(time.Now())
			if l.Decision != nil {
				l.Rev++
			}
			b.records.keep(l)
		}
		b.reconcile(l)
	}
}

// closed settles what waited in a process or instance that is gone for good,
// unless another way reaches it: that one is asked.
func (b *Bridge) closed(o question.Origin) {
	for _, l := range b.threads.seenAt(o, "") {
		switch {
		case l.Outcome != nil:
		case b.agents.reachable(l.Thread):
			l.CheckAt = time.Now()
			b.reconcile(l)
		case l.heard != nil:
			b.permissions.settleHeard(l, l.unseenNote())
		case l.maybeSent() || l.agent && l.Decision != nil:
			l.Delivery.Made = max(l.Delivery.Made, 1) // one may be under way
			b.outcomes.settle(l, question.Outcome{Kind: question.OutcomeUnknown})
		default:
			b.outcomes.settle(l, question.Outcome{Kind: question.OutcomeRestarted})
		}
	}
}
