package question

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"hermes/internal/retry"
)

// TestNextAlways holds what is true of any thread at any time: what may be done
// with what, and that nothing that is owed is ever forgotten.
func TestNextAlways(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	seen := map[StepKind]bool{}
	for range 20_000 {
		thread, now := anyThread(random), anyTime(random)
		steps, wake := thread.Next(now)
		for _, s := range steps {
			seen[s.Kind] = true
			if why := wrong(thread, s); why != "" {
				t.Fatalf("%s although %s: %+v at %v", s.Kind, why, thread, now)
			}
		}
		checkWake(t, thread, now, steps, wake)
		checkOwed(t, thread, steps, wake)
	}
	for _, kind := range []StepKind{Show, Refresh, Boxes, Remind, Release, Widen, Resolve, Check, Deliver, Confirm, EndHold, Expire, GiveUp, Retire} {
		if !seen[kind] {
			t.Errorf("%s never came up", kind)
		}
	}
}

// wrong says why a step must not be taken, if that is so.
func wrong(t Thread, s Step) string {
	onCard := s.Kind == Show || s.Kind == Refresh || s.Kind == Boxes
	forOpenCode := slices.Contains([]StepKind{Resolve, Check, Deliver, Confirm}, s.Kind)
	forPeople := s.Kind == Remind || s.Kind == Expire
	switch {
	case onCard != (s.Card >= 0) || s.Card >= len(t.Cards):
		return "it names no such card"
	case s.Kind == Boxes && t.Cards[s.Card].Refused != "":
		return "the chat takes nothing"
	case s.Kind == Boxes && t.NextBox(s.Card) < 0:
		return "no box needs anything"
	case s.Kind == Show && len(t.Cards[s.Card].Messages) > 0:
		return "it is on screen"
	case s.Kind == Refresh && t.Cards[s.Card].Rev >= t.Rev:
		return "the card is right"
	case forOpenCode && (t.Away || t.Settled()):
		return "nobody is there, or nothing is left to say"
	case forOpenCode && (s.Kind == Resolve) != (t.Request.ID == ""):
		return "of its id"
	case (s.Kind == Deliver || s.Kind == Confirm) && t.Decision == nil:
		return "nothing is decided"
	case s.Kind == Deliver && !t.Delivery.SentAt.IsZero(), s.Kind == Confirm && t.Delivery.SentAt.IsZero():
		return "of what was sent"
	case (s.Kind == Deliver || s.Kind == Confirm) && t.IsHeld():
		return "it is held"
	case s.Kind == EndHold && !t.IsHeld():
		return "it is not held"
	case s.Kind == GiveUp && !t.Away:
		return "OpenCode is there"
	case forPeople && (!t.Open() || !t.Shown()):
		return "nobody can answer it"
	case s.Kind == Widen && (!t.Open() || len(t.Escalations) == 0):
		return "there is nobody else to ask, or nothing"
	case s.Kind == Release && (!t.Open() || t.Claim == nil):
		return "nobody is on it"
	case s.Kind == Retire && !t.Settled():
		return "it is not settled"
	}
	return ""
}

// checkWake holds that the wake time is to come, and that it brings something.
func checkWake(t *testing.T, thread Thread, now time.Time, steps []Step, wake time.Time) {
	t.Helper()
	if wake.IsZero() {
		return
	}
	then, _ := thread.Next(wake)
	news := slices.ContainsFunc(then, func(s Step) bool { return !slices.Contains(steps, s) })
	if !wake.After(now) || !news {
		t.Fatalf("wakes at %v for %v, had %v at %v: %+v", wake, then, steps, now, thread)
	}
	if early, _ := thread.Next(wake.Add(-1)); !slices.Equal(early, steps) {
		t.Fatalf("%v came before the wake time %v: %+v", early, wake, thread)
	}
}

// checkOwed holds that a thread which owes something does it, or wakes to do it.
func checkOwed(t *testing.T, thread Thread, steps []Step, wake time.Time) {
	t.Helper()
	owes := thread.Settled() || thread.Decision != nil
	if owes && len(steps) == 0 && wake.IsZero() {
		t.Fatalf("forgotten: %+v", thread)
	}
}

func anyTime(r *rand.Rand) time.Time { return after(time.Duration(r.IntN(60*48)) * minute) }

func anyThread(r *rand.Rand) Thread {
	some := []func(*Thread){
		away, captured, expired, check(time.Duration(r.IntN(60)) * minute), rev(3), deliverAt(20 * minute),
		sentAt(20 * minute), resolveAt(20 * minute), card(0, refused(5*minute)), card(1, refused(3*day)), card(0, unshown), card(1, unshown),
		copied, card(0, tryAt(25*minute)), card(1, tryAt(2*day)), card(1, right(3)), card(0, right(3)),
		heldTo(time.Duration(r.IntN(60)) * minute), func(t *Thread) { t.RemindAt = nil }, func(t *Thread) { t.Deadline = time.Time{} },
		claimed(25 * minute), typing, box(0, ReplyBox{Begun: true, Message: 5}), box(1, ReplyBox{Begun: true}),
		box(1, ReplyBox{Tries: retry.Attempts{Next: after(30 * minute)}}), box(0, ReplyBox{Begun: true, Message: 6, Item: 1, Tries: retry.Attempts{Next: after(2 * day)}}), widens(10 * minute), widens(2*day, 3*day),
	}
	some = slices.DeleteFunc(some, func(func(*Thread)) bool { return r.IntN(4) > 0 })
	starts := []func(...func(*Thread)) Thread{asked, shown, decided, settled}
	return starts[r.IntN(len(starts))](some...)
}
