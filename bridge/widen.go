package bridge

import (
	"slices"
	"time"

	"hermes/internal/question"
)

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

// hush puts off the reminders that are due until the quiet hours are over. It
// reports whether it is quiet now.
func (b *Bridge) hush(l *live) bool {
	until := b.access.quietUntil(l)
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
