package bridge

import (
	"cmp"
	"time"

	"hermes/internal/event"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// arrivals begins threads for new asks.
type arrivals struct {
	*engine
	chats       *chatMemory
	quotas      *quotas
	access      *access
	places      *places
	deadlines   *deadlines
	display     *display
	groups      *groups
	decisions   *decisions
	permissions *permissions
	notifyDelay time.Duration
	context     bool // Config.Context
}

// begin begins a thread. If the store does not take it, it does not exist, and
// the next listing brings it again, as it does with what is too much of one machine.
func (ar *arrivals) begin(o session.Origin, ask event.Ask) {
	if ar.quotas.holdsBack(o, ask.Request) {
		return
	}
	owner, known := ar.access.ownerAt(o)
	if !known {
		return
	}
	now := time.Now()
	link, byMachine := ar.access.linkOf(o)
	rule := ar.access.rules.Rule(policy.Ask{
		Request: ask.Request, Directory: o.Directory, Resolved: o.Resolved, Place: ask.Place, Link: link, LinkByMachine: byMachine, Owner: owner.ID, At: now,
	})
	t := question.Thread{
		ID: question.NewID(), Request: ask.Request, Origins: []session.Origin{o}, Owner: owner,
		Place: ask.Place, Project: ar.threads.projectName(o), Asked: now, ShowAt: now.Add(ar.notifyDelay),
		Rev: 1,
	}
	if ar.context {
		t.Said = ask.Said
	}
	if t.Request.ID == "" {
		t.Resolving.Next = now.Add(resolvePause)
	}
	noteRule(&t, rule)
	ar.deadlines.setTerms(&t, rule)
	if ask.Terms.TTL != nil {
		t.TTL = *ask.Terms.TTL
	}
	t.OnExpiry = cmp.Or(ask.Terms.OnExpiry, t.OnExpiry)
	entries := append([]storage.Entry{{Kind: storage.EntryAsked, By: ar.askerOf(o)}}, ar.decisions.decideByRule(&t, rule)...)
	change := storage.Change{Entries: stampEntries(t, entries)}
	leader := ar.groups.equalTo(o, ask.Request)
	switch {
	case t.ByRule():
		leader = nil
		if t.Announce {
			t.Cards = ar.places.cardsWanted(ask.Terms, rule)
		}
	case leader != nil:
		change.Threads = append(change.Threads, leader.withFollower(&t))
	default:
		t.Cards = ar.places.cardsWanted(ask.Terms, rule)
	}
	for _, c := range t.Cards {
		change.Chats = append(change.Chats, ar.chats.allowHint(c.Chat)...)
	}
	if !t.ShowAt.After(now) && t.Request.ID != "" {
		ar.display.markSending(&t) // sent at once: one commit does for both
	}
	change.Threads = append(change.Threads, t.Clone())
	if ar.records.commit(change) != nil {
		return
	}
	ar.log.Info("asked", "question", t.ID, "session", t.Request.Session)
	ar.decisions.logByRule(t)
	if leader != nil {
		leader.Thread = change.Threads[0]
		leader.publishView()
		ar.reconcile(leader)
	}
	l := ar.threads.add(t)
	l.start = ask.Start
	if t.Request.Permission != nil {
		ar.permissions.notePassed(l)
	}
	ar.reconcile(l)
}

// resolvePause is how long a captured call waits for the event of its ask. That comes a few
// milliseconds behind, with all that a card shows; looking for it earlier costs a busy
// OpenCode time.
const resolvePause = 150 * time.Millisecond

// askerOf names who asked: a program, by the HTTP interface; nobody in particular for an
// agent, but for the token that its OpenCode has.
func (ar *arrivals) askerOf(o session.Origin) question.Actor {
	if o.Way == session.AskAPI {
		return question.OverAPI()
	}
	return question.Actor{Token: ar.access.tokenName(o)}
}
