package bridge

import (
	"slices"
	"time"

	"hermes/internal/policy"
	"hermes/internal/question"
)

// escalations are the further places of a rule, counted from the first showing.
func (b *Bridge) escalations(rule policy.Rule, now time.Time) []question.Escalation {
	var list []question.Escalation
	for _, e := range rule.Escalation {
		list = append(list, question.Escalation{At: now.Add(e.After), Cards: b.cardsFor(e.Targets)})
	}
	slices.SortStableFunc(list, func(x, y question.Escalation) int { return x.At.Compare(y.At) })
	return list
}

// widen gives an ask that nobody has answered to further chats. Those that have it
// already do not get it twice.
func (b *Bridge) widen(l *live) {
	l.Thread = l.Clone()
	now, before := time.Now(), len(l.Cards)
	for len(l.Escalations) > 0 && !l.Escalations[0].At.After(now) {
		for _, c := range l.Escalations[0].Cards {
			c.Chat = b.chats.current(c.Chat)
			if !slices.ContainsFunc(l.Cards, c.SamePlace) {
				l.Cards = append(l.Cards, c)
			}
		}
		l.Escalations = l.Escalations[1:]
	}
	if len(l.Cards) == before {
		b.records.keep(l)
		b.reconcile(l)
		return
	}
	l.Escalated = true
	l.Rev++
	b.records.keep(l, question.Entry{Kind: question.EntryEscalated})
	b.reconcile(l)
}

// quiet is until when the ask makes no sound; zero: it does.
func (b *Bridge) quiet(l *live) time.Time { return b.rule(l).Quiet.Until(time.Now()) }

// hush puts off the reminders that are due until the quiet hours are over. It
// reports whether it is quiet now.
func (b *Bridge) hush(l *live) bool {
	until := b.quiet(l)
	if until.IsZero() {
		return false
	}
	l.Thread = l.Clone()
	for i, at := range l.RemindAt {
		if at.Before(until) {
			l.RemindAt[i] = until
		}
	}
	l.RemindAt = slices.Compact(l.RemindAt)
	b.records.keep(l)
	return true
}
