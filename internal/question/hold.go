package question

import (
	"slices"
	"time"

	"hermes/internal/retry"
)

// MaxHold bounds how long a decision may be held.
const MaxHold = 10 * time.Minute

// Hold keeps a decision from being sent until a time, so that it can be taken back. Its Thread has it from the commit
// that stores the decision to the one that ends the hold, so a restart neither shortens nor forgets it: nothing is sent
// before that second commit, and nothing is taken back behind it.
type Hold struct {
	Until  time.Time
	Wizard Wizard // the conversation before the decision
	Votes  []Vote // the approvals before it
}

// IsHeld reports whether there is a decision that is not sent yet because it may be taken back.
func (t Thread) IsHeld() bool { return t.Held != nil && t.Decision != nil && t.Outcome == nil }

// HoldAs keeps the decision of t until then; before is the thread that a taken-back decision leaves.
func (t *Thread) HoldAs(before Thread, until time.Time) {
	t.Held = &Hold{Until: until, Wizard: before.Wizard, Votes: slices.Clone(before.Votes)}
}

// Released is the thread whose hold has ended: from now on its decision is owed to OpenCode.
func (t Thread) Released(now time.Time) Thread {
	t = t.Clone()
	t.Held, t.Delivery.From = nil, now
	t.Rev++
	return t
}

// TakenBack is the thread as it was before the decision that is held, for people who see it: with what was chosen and
// approved then, and with buttons of a new revision. m took it back.
func (t Thread) TakenBack(m WizardInput) Thread {
	t = t.Clone()
	rev := t.Wizard.Rev
	t.Wizard, t.Votes = t.Held.Wizard, slices.Clone(t.Held.Votes)
	t.Wizard.Rev, t.Wizard.Last = rev+1, m
	t.Decision, t.Held, t.Delivery, t.Announce = nil, nil, Delivery{}, false
	t.Rev++
	return t
}

// PostponeHold holds what is held at least until then.
func (t *Thread) PostponeHold(until time.Time) {
	if t.IsHeld() {
		held := *t.Held
		held.Until = retry.Later(held.Until, until)
		t.Held = &held
	}
}
