package bridge

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"hermes/internal/policy"
	"hermes/internal/question"
)

// arrivals begins threads: for asks that no thread has.
type arrivals struct {
	log         *slog.Logger
	threads     *threads
	records     *records
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
	reconcile   func(*live)
}

// begin begins a thread. If the store does not take it, it does not exist, and
// the next listing brings it again, as it does with what is too much of one machine.
func (ar *arrivals) begin(o question.Origin, ask question.Ask) {
	if ar.quotas.holdsBack(o, ask.Request) {
		return
	}
	now := time.Now()
	rule := ar.access.rules.Rule(policy.Ask{Request: ask.Request, Directory: o.Directory, Resolved: o.Resolved, Place: ask.Place, At: now})
	t := question.Thread{
		ID: question.NewID(), Request: ask.Request, Origins: []question.Origin{o},
		Place: ask.Place, Project: ar.threads.projectName(o), Asked: now, ShowAt: now.Add(ar.notifyDelay),
		Rev: 1,
	}
	under(&t, rule)
	ar.deadlines.setTerms(&t, rule)
	if ask.Terms.TTL != nil {
		t.TTL = *ask.Terms.TTL
	}
	t.OnExpiry = cmp.Or(ask.Terms.OnExpiry, t.OnExpiry)
	entries := append([]question.Entry{{Kind: question.EntryAsked, By: askerOf(o)}}, ar.decisions.decideByRule(&t, rule)...)
	change := question.Change{Entries: stamp(t, entries)}
	leader := ar.groups.equalTo(o, ask.Request)
	switch {
	case t.ByRule():
		leader = nil
		if t.Announce {
			t.Cards = ar.places.cardsWanted(ask.Terms, rule)
		}
	case leader != nil:
		change.Threads = append(change.Threads, leader.joined(&t))
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
		leader.publish()
		ar.reconcile(leader)
	}
	l := ar.threads.add(t)
	if t.Request.Permission != nil {
		ar.permissions.notePassed(l)
	}
	ar.reconcile(l)
}

// askerOf names who asked: a program, by the HTTP interface; nobody in particular for an
// agent, but for the token that its OpenCode has.
func askerOf(o question.Origin) question.Actor {
	if o.Way == question.AskAPI {
		return question.OverAPI()
	}
	return question.Actor{Token: o.TokenName()}
}

// Reaches reports whether hermes may show asks in the chat and topic of the card.
func (b *Bridge) Reaches(ctx context.Context, c question.Card) (ok bool, err error) {
	err = b.loop.Do(ctx, func() { ok = b.places.canReach(c) })
	return ok, err
}

// wind sets the deadline and the reminders of a thread that people are asked from now
// on.
func wind(t *question.Thread, rule policy.Rule, now time.Time) {
	t.RemindAt = nil
	for _, d := range rule.Remind {
		t.RemindAt = append(t.RemindAt, now.Add(d))
	}
	if t.TTL == 0 {
		return
	}
	t.Deadline = now.Add(t.TTL)
	if t.RemindAt != nil {
		return
	}
	half, last := now.Add(t.TTL/2), t.Deadline.Add(-lastReminder)
	t.RemindAt = []time.Time{half}
	if last.After(half) {
		t.RemindAt = append(t.RemindAt, last)
	}
}

// lastReminder is how long before the deadline the last reminder comes.
const lastReminder = 5 * time.Minute
