package bridge

import (
	"cmp"
	"slices"
	"time"

	"hermes/internal/policy"
	"hermes/internal/question"
)

// endClaim ends a claim whose time is over.
func (dl *deadlines) endClaim(l *live) {
	by := l.Claim.By
	l.Thread = l.Clone()
	l.Claim = nil
	l.Rev++
	dl.records.keep(l, question.Entry{Kind: question.EntryReleased, By: by, Detail: "time"})
	dl.reconcile(l)
}

// deadlines is what becomes due for an ask that nobody has answered: reminders, further
// chats, the end of a claim, the deadline itself. When, its record says.
type deadlines struct {
	access   *access
	places   *places
	records  *records
	ttl      time.Duration
	onExpiry question.Expiry

	decide    func(*live, question.Thread, []question.UpdateID, ...question.Entry) error
	sendNote  func(l *live, card int, n question.Note)
	reconcile func(*live)
}

// startClock sets the deadline and the reminders, whenever a chat is about to show the
// thread for the first time: the time to answer begins when it can be seen. It is
// stored with the message that shows it. The time of escalations begins with the first
// try, for a chat may never take it.
func (dl *deadlines) startClock(l *live, now time.Time) {
	if l.Shown() || l.Decision != nil {
		return
	}
	if len(l.Escalations) == 0 && !l.Escalated {
		l.Escalations = dl.places.escalationsOf(dl.access.ruleFor(l), now)
	}
	wind(&l.Thread, dl.access.ruleFor(l), now)
	l.publish()
}

// setTerms notes how long people have, and what is done then, as the rule says or as is
// configured. It stays so, whatever rules come later.
func (dl *deadlines) setTerms(t *question.Thread, rule policy.Rule) {
	t.TTL, t.OnExpiry = cmp.Or(rule.Timeout, dl.ttl), cmp.Or(rule.OnTimeout, dl.onExpiry)
	t.Prefer = rule.Recommended
}

// remind tells every chat that shows the thread, with sound, that it still waits.
// Reminders that came due while hermes was down are one.
func (dl *deadlines) remind(l *live) {
	if dl.postponeReminders(l) {
		return
	}
	for card, c := range l.Cards {
		if len(c.Messages) > 0 && c.Lost == "" {
			dl.sendNote(l, card, question.Note{Kind: question.NoteRemind, ReplyTo: c.Messages[len(c.Messages)-1]})
		}
	}
	now := time.Now()
	l.Thread = l.Clone()
	for len(l.RemindAt) > 0 && !l.RemindAt[0].After(now) {
		l.RemindAt = l.RemindAt[1:]
	}
	dl.records.keep(l, question.Entry{Kind: question.EntryReminded})
}

// expire does what was settled for the deadline. Nobody has answered: that is
// recorded as such, never as a person's answer.
func (dl *deadlines) expire(l *live) {
	next := l.Thread
	next.Expired = true
	next.Rev++
	by := question.Actor{Kind: question.Deadline}
	entries := []question.Entry{{Kind: question.EntryExpired, By: by, Detail: string(l.OnExpiry)}}
	if l.OnExpiry != question.ExpireWait {
		answers, ok := l.Request.FirstChoice(l.Prefer)
		d := question.Decision{Reject: l.OnExpiry != question.ExpireAccept || !ok, By: by, At: time.Now()}
		if !d.Reject {
			d.Answers = answers
		}
		next.Decision = &d
	}
	if dl.decide(l, next, nil, entries...) != nil {
		dl.records.retryThread(l)
		return
	}
	dl.reconcile(l)
}

// escalate gives an ask that nobody has answered to further chats. Those that have it
// already do not get it twice.
func (dl *deadlines) escalate(l *live) {
	l.Thread = l.Clone()
	now, before := time.Now(), len(l.Cards)
	for len(l.Escalations) > 0 && !l.Escalations[0].At.After(now) {
		for _, c := range l.Escalations[0].Cards {
			c.Chat = dl.places.chats.current(c.Chat)
			if !slices.ContainsFunc(l.Cards, c.SamePlace) {
				l.Cards = append(l.Cards, c)
			}
		}
		l.Escalations = l.Escalations[1:]
	}
	if len(l.Cards) == before {
		dl.records.keep(l)
		dl.reconcile(l)
		return
	}
	l.Escalated = true
	l.Rev++
	dl.records.keep(l, question.Entry{Kind: question.EntryEscalated})
	dl.reconcile(l)
}

// postponeReminders puts off the reminders that are due until the quiet hours are over. It
// reports whether it is quiet now.
func (dl *deadlines) postponeReminders(l *live) bool {
	until := dl.access.quietUntil(l)
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
	dl.records.keep(l)
	return true
}
