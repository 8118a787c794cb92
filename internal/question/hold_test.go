package question

import (
	"errors"
	"reflect"
	"testing"
)

// What is taken back is as it was, but for its revisions: no button from before counts.
func TestThread_TakenBack(t *testing.T) {
	before := shown(func(t *Thread) {
		t.Request = asking(databases(), languages())
		t.Wizard = Wizard{Step: 2, Rev: 7, Choices: []Choice{{Options: []int{1}}, {Texts: []string{"Zig"}}}}
		t.Votes = []Vote{{By: Actor{User: 3}}}
		t.Rev = 9
	})
	send := WizardInput{Action: Send, Rev: 7}
	w, err := before.Wizard.Apply(before.Request, send)
	if err != nil {
		t.Fatal(err)
	}
	held := before.Clone()
	held.Wizard, held.Votes = w, append(held.Votes, Vote{By: Actor{User: 4}})
	held.Decision, held.Announce, held.Rev = &Decision{Answers: w.Answers(before.Request)}, true, 10
	held.HoldAs(before, after(second))
	if v := held.View(); v.Phase != PhaseHeld || !v.Undoable || !v.HeldTo.Equal(after(second)) {
		t.Errorf("it is shown as %s, undoable %v, to %v", v.Phase, v.Undoable, v.HeldTo)
	}
	undo := WizardInput{Action: Undo, Rev: w.Rev}
	got := held.TakenBack(undo)
	if got.Decision != nil || got.Held != nil || got.Announce || !got.Open() || got.View().Phase != PhaseAsking || got.Rev != 11 {
		t.Errorf("it is %+v", got)
	}
	want := before.Wizard
	want.Rev, want.Last = w.Rev+1, undo
	if !reflect.DeepEqual(got.Wizard, want) || !reflect.DeepEqual(got.Votes, before.Votes) {
		t.Errorf("the conversation is %+v with %+v, want %+v", got.Wizard, got.Votes, want)
	}
	for _, m := range []WizardInput{send, {Action: Dismiss, Rev: 7}} {
		if _, err := got.Wizard.Apply(got.Request, m); !errors.Is(err, ErrStale) {
			t.Errorf("an old button: %v", err)
		}
	}
	if _, err := got.Wizard.Apply(got.Request, undo); !errors.Is(err, ErrRepeated) {
		t.Errorf("the same tap twice: %v", err)
	}
	if held.Decision == nil || held.Held == nil || len(held.Votes) != 2 {
		t.Error("what was taken back was changed in place")
	}
}

func TestThread_Released(t *testing.T) {
	held := decided(heldTo(10*minute), away)
	got := held.Released(after(11 * minute))
	if got.IsHeld() || got.Undoable() || got.View().Phase != PhaseWaiting || !got.Delivery.From.Equal(after(11*minute)) || got.Rev != held.Rev+1 {
		t.Errorf("it is %+v", got)
	}
}

// Only what is held, and only where its cards are, can be taken back.
func TestThread_UndoableWhileHeld(t *testing.T) {
	for name, c := range map[string]struct {
		thread Thread
		want   bool
	}{
		"held":                    {decided(heldTo(minute)), true},
		"held, and away":          {decided(heldTo(minute), away), true},
		"held, for several asks":  {decided(heldTo(minute), func(t *Thread) { t.Equals = []ID{"x"} }), true},
		"held with its leader":    {decided(heldTo(minute), func(t *Thread) { t.Leader = "x" }), false},
		"not held":                {decided(), false},
		"ended while it was held": {settled(heldTo(minute)), false},
	} {
		if got := c.thread.Undoable(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestThread_PostponeHold(t *testing.T) {
	held := decided(heldTo(10 * minute))
	later := held
	later.PostponeHold(after(11 * minute))
	if !later.Held.Until.Equal(after(11*minute)) || !held.Held.Until.Equal(after(10*minute)) {
		t.Errorf("to %v, and the other to %v", later.Held.Until, held.Held.Until)
	}
	if later.PostponeHold(after(minute)); !later.Held.Until.Equal(after(11 * minute)) {
		t.Errorf("shortened to %v", later.Held.Until)
	}
}
