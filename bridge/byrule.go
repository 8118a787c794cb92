package bridge

import (
	"time"

	"hermes/internal/policy"
	"hermes/internal/question"
)

// byRule lets the rule decide a thread that is new, or of which all is known by now,
// and returns what to journal. From then on it is owed, sent and proven like a person's
// decision. A call that was only captured is decided when its request is there.
func (b *Bridge) byRule(t *question.Thread, rule policy.Rule) []question.Entry {
	d, ok := rule.Decision(t.Request)
	t.Ruling = rule.Unsure || ok && t.Request.ID == ""
	if t.Ruling {
		t.ShowAt = latest(t.ShowAt, t.Asked.Add(unknownFor))
	}
	if !ok || t.Ruling {
		return nil
	}
	d.At = time.Now()
	t.Decision, t.Announce = &d, rule.Notify
	t.Delivery.Begun = !t.Away // sent at once
	t.ShowAt = latest(t.ShowAt, d.At.Add(ruledShown))
	return []question.Entry{{Kind: question.EntryAnswered, By: d.By, Answers: d.Answers}}
}

// ruledShown is how long a decision by rule has to arrive before a chat is told of it:
// most are proven by then, and shown once.
const ruledShown = 2 * time.Second

// unknownFor is how long people are not asked what a rule may decide as soon as more
// is known of it: OpenCode tells of a call before it asks, mostly within a tenth of
// this.
const unknownFor = time.Second

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// ruleOn asks the rules again when more is known of a thread than when it began. A
// thread that somebody has begun to answer is theirs.
func (b *Bridge) ruleOn(l *live) {
	if !l.Ruling || !l.Open() || l.Wizard.Last != (question.Move{}) || len(l.Votes) > 0 || l.Claim != nil {
		return
	}
	rule, next := b.access.ruleFor(l), l.Clone()
	entries := b.byRule(&next, rule)
	if next.Ruling {
		return
	}
	under(&next, rule)
	if next.Decision == nil && !next.Shown() {
		b.term(&next, rule)
		next.ShowAt = next.Asked.Add(b.config.NotifyDelay)
	}
	if next.ByRule() {
		next.Rev++
	}
	if b.decide(l, next, nil, entries...) != nil {
		b.records.retryThread(l)
		return
	}
	if l.ByRule() {
		b.logRuled(l.Thread)
		b.part(l)
	}
}

func (b *Bridge) logRuled(t question.Thread) {
	if t.ByRule() {
		b.log.Info("decided by a rule", "question", t.ID, "rule", t.Decision.By.Name, "rejected", t.Decision.Reject)
	}
}

// undo takes back what a rule has decided and nobody was sent yet: people are asked.
func (b *Bridge) undo(l *live, in question.Input) {
	next := l.Clone()
	next.Decision, next.Announce, next.Delivery = nil, false, question.Delivery{}
	next.Wizard.Rev++
	next.Rev++
	now, rule := time.Now(), b.access.ruleFor(l)
	under(&next, rule)
	wind(&next, rule, now)
	next.Escalations = b.places.escalationsOf(rule, now)
	used := []question.UpdateID{in.Update}
	b.acknowledge(in, b.decide(l, next, used, question.Entry{Kind: question.EntryUndone, By: author(in)}))
	b.reconcile(l)
}
