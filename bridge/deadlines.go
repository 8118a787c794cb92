package bridge

import (
	"cmp"
	"slices"
	"time"

	"hermes/internal/outbound"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// What becomes due for an ask that nobody has answered: reminders, further
// chats, the end of a claim, the deadline itself. The record of the ask says when.

// endClaim ends a claim whose time is over.
func (b *Bridge) endClaim(l *liveThread) {
	by := l.Claim.By
	l.Thread = l.Clone()
	l.Claim = nil
	l.Rev++
	b.saveThread(l, storage.Entry{Kind: storage.EntryReleased, By: by, Detail: "time"})
	b.reconcile(l)
}

// startClock sets the deadline and the reminders, whenever a chat is about to show the
// thread for the first time: the time to answer begins when it can be seen. It is
// stored with the message that shows it. The time of escalations begins with the first
// try, for a chat may never take it.
func (b *Bridge) startClock(l *liveThread, now time.Time) {
	if l.Shown() || l.Decision != nil {
		return
	}
	if len(l.Escalations) == 0 && !l.Escalated {
		l.Escalations = b.escalationsOf(b.access.ruleFor(l), now)
	}
	setDeadline(&l.Thread, b.access.ruleFor(l), now)
	l.publishView()
}

// setTerms notes how long people have, and what is done then, as the rule says or as is
// configured. It stays so, whatever rules come later.
func (b *Bridge) setTerms(t *question.Thread, rule policy.Rule) {
	t.TTL, t.OnExpiry = cmp.Or(rule.Timeout, b.config.TTL), cmp.Or(rule.OnTimeout, b.config.OnExpiry)
	t.Prefer = rule.Recommended
}

// remind tells every chat that shows the thread, with sound and once, that it still waits. The reminder before is removed first; where
// that fails, it goes with the end. Reminders that came due while hermes was down are one.
func (b *Bridge) remind(l *liveThread) {
	if b.postponeReminders(l) {
		return
	}
	for card, c := range l.Cards {
		if len(c.Messages) > 0 && c.Refused == "" && c.Taken == 0 && !l.IsCopy(card) {
			for _, box := range c.Boxes {
				if box.Reminder && !box.Over {
					b.sendBox(l, card, box)
				}
			}
			b.sendNote(l, card, outbound.Message{ReplyTo: l.Buttons(card), Text: ui.Reminder(l.currentView(card))}, true)
		}
	}
	now := time.Now()
	l.Thread = l.Clone()
	for len(l.RemindAt) > 0 && !l.RemindAt[0].After(now) {
		l.RemindAt = l.RemindAt[1:]
	}
	b.saveThread(l, storage.Entry{Kind: storage.EntryReminded})
}

// expire does what was settled for the deadline. Nobody has answered: that is
// recorded as such, never as a person's answer.
func (b *Bridge) expire(l *liveThread) {
	next := l.Thread
	next.Expired = true
	next.Rev++
	by := question.Actor{Kind: question.Deadline}
	entries := []storage.Entry{{Kind: storage.EntryExpired, By: by, Detail: string(l.OnExpiry)}}
	if d, ok := l.OnExpiry.Decision(l.Request, l.Prefer, time.Now()); ok {
		next.Decision = &d
	}
	b.decide(l, next, nil, entries...)
	b.reconcile(l)
}

// escalate gives an ask that nobody has answered to further chats. Those that have it
// already do not get it twice.
func (b *Bridge) escalate(l *liveThread) {
	l.Thread = l.Clone()
	now, before := time.Now(), slices.Clone(l.Cards)
	for len(l.Escalations) > 0 && !l.Escalations[0].At.After(now) {
		for _, c := range l.Escalations[0].Cards {
			c.Chat = b.Current(c.Chat)
			l.giveCard(c)
		}
		l.Escalations = l.Escalations[1:]
	}
	if !l.isGivenMore(before) {
		b.saveThread(l)
		b.reconcile(l)
		return
	}
	l.Escalated = true
	l.Rev++
	b.saveThread(l, storage.Entry{Kind: storage.EntryEscalated})
	b.reconcile(l)
}

// postponeReminders puts off the reminders that are due until the quiet hours are over. It
// reports whether it is quiet now.
func (b *Bridge) postponeReminders(l *liveThread) bool {
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
	b.saveThread(l)
	return true
}

// setDeadline sets the deadline and the reminders of a thread that people are asked from now
// on.
func setDeadline(t *question.Thread, rule policy.Rule, now time.Time) {
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
