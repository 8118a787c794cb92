package bridge

import (
	"time"

	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/retry"
	"hermes/internal/storage"
)

// decideByRule lets the rule decide a thread that is new, or of which all is known by now,
// and returns what to journal. From then on it is owed, sent and proven like a person's
// decision. A call that was only captured is decided when its request is there.
func (dc *decisions) decideByRule(t *question.Thread, rule policy.Rule) []storage.Entry {
	d, ok := rule.Decision(t.Request)
	t.Ruling = rule.Unsure || ok && t.Request.ID == ""
	if t.Ruling {
		t.ShowAt = retry.Later(t.ShowAt, t.Asked.Add(unknownFor))
	}
	if unfit, is := rule.Unfit(t.Request); is && !t.Ruling {
		dc.log.Warn("a rule's answer does not fit the question", "question", t.ID, "rule", rule.Name, "reason", unfit)
	}
	if !ok || t.Ruling {
		return nil
	}
	d.At = time.Now()
	t.Decision, t.Announce = &d, rule.Notify
	entries := []storage.Entry{{Kind: storage.EntryAnswered, By: d.By, Answers: d.Answers}}
	if undo := rule.UndoOr(0); undo > 0 {
		before := *t
		before.Decision = nil
		t.HoldAs(before, d.At.Add(undo))
		t.Announce = true // nobody could take back what nobody sees
		return append(entries, heldEntry(*t, undo))
	}
	t.Delivery.Begun = !t.Away // sent at once
	t.ShowAt = retry.Later(t.ShowAt, d.At.Add(ruledShown))
	return entries
}

// ruledShown is how long OpenCode has to take a decision by rule before a chat shows it:
// most are proven by then, and shown once.
const ruledShown = 2 * time.Second

// unknownFor is how long people are not asked what a rule may decide as soon as more
// is known of it: OpenCode tells of a call before it asks, mostly within a tenth of
// this.
const unknownFor = time.Second

// applyRule asks the rules again when more is known of a thread than when it began. A
// thread that somebody has begun to answer is theirs.
func (dc *decisions) applyRule(l *liveThread) {
	if !l.Ruling || !l.Open() || l.Wizard.Last != (question.WizardInput{}) || len(l.Votes) > 0 || l.Claim != nil {
		return
	}
	rule, next := dc.access.ruleFor(l), l.Clone()
	entries := dc.decideByRule(&next, rule)
	if next.Ruling {
		return
	}
	noteRule(&next, rule)
	if next.Decision == nil && !next.Shown() && len(l.sending) == 0 {
		dc.deadlines.setTerms(&next, rule)
		if len(next.Cards) > 0 {
			next.Cards = dc.deadlines.places.cardsFor(rule.Targets) // rules that do not fit after all have no say
		}
		next.ShowAt = next.Asked.Add(dc.notifyDelay)
	}
	if next.ByRule() {
		next.Rev++
	}
	if dc.decide(l, next, nil, entries...) != nil {
		dc.records.retryThread(l)
		return
	}
	if l.ByRule() {
		dc.logByRule(l.Thread)
		dc.groups.leaveGroup(l)
	}
}

func (dc *decisions) logByRule(t question.Thread) {
	if t.ByRule() {
		dc.log.Info("decided by a rule", "question", t.ID, "rule", t.Decision.By.Name, "rejected", t.Decision.Reject)
	}
}
