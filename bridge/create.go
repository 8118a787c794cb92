package bridge

import (
	"cmp"
	"context"
	"time"

	"hermes/internal/policy"
	"hermes/internal/question"
)

// create begins a thread. If the store does not take it, it does not exist, and
// the next listing brings it again, as it does with what is too much of one machine.
func (b *Bridge) create(o question.Origin, ask question.Ask) {
	if b.quotas.holdsBack(o, ask.Request) {
		return
	}
	now := time.Now()
	rule := b.access.rules.Rule(policy.Ask{Request: ask.Request, Directory: o.Directory, Resolved: o.Resolved, Place: ask.Place, At: now})
	t := question.Thread{
		ID: question.NewID(), Request: ask.Request, Origins: []question.Origin{o},
		Place: ask.Place, Project: b.threads.projectName(o), Asked: now, ShowAt: now.Add(b.config.NotifyDelay),
		Rev: 1,
	}
	under(&t, rule)
	b.deadlines.setTerms(&t, rule)
	if ask.Terms.TTL != nil {
		t.TTL = *ask.Terms.TTL
	}
	t.OnExpiry = cmp.Or(ask.Terms.OnExpiry, t.OnExpiry)
	entries := append([]question.Entry{{Kind: question.EntryAsked, By: askerOf(o)}}, b.decisions.decideByRule(&t, rule)...)
	change := question.Change{Entries: stamp(t, entries)}
	leader := b.groups.equalTo(o, ask.Request)
	switch {
	case t.ByRule():
		leader = nil
		if t.Announce {
			t.Cards = b.places.cardsWanted(ask.Terms, rule)
		}
	case leader != nil:
		change.Threads = append(change.Threads, leader.joined(&t))
	default:
		t.Cards = b.places.cardsWanted(ask.Terms, rule)
	}
	for _, c := range t.Cards {
		change.Chats = append(change.Chats, b.chats.allowHint(c.Chat)...)
	}
	if !t.ShowAt.After(now) && t.Request.ID != "" {
		b.display.markSending(&t) // sent at once: one commit does for both
	}
	change.Threads = append(change.Threads, t.Clone())
	if b.records.commit(change) != nil {
		return
	}
	b.log.Info("asked", "question", t.ID, "session", t.Request.Session)
	b.decisions.logByRule(t)
	if leader != nil {
		leader.Thread = change.Threads[0]
		leader.publish()
		b.reconcile(leader)
	}
	l := b.threads.add(t)
	if t.Request.Permission != nil {
		b.permissions.notePassed(l)
	}
	b.reconcile(l)
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
