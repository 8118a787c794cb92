package sessions_test

import (
	"slices"
	"testing"
	"time"

	"hermes/internal/event"
	"hermes/internal/remote"
	"hermes/internal/session"
)

// OpenCode has the prompt, and did not begin with it: it is told to, once.
func TestWake_PromptThatWasPassedOver(t *testing.T) {
	in(t, func(w *world) {
		w.say(1, "hello")
		pass(20 * time.Second)
		if want := []session.MessageID{"msg_001"}; !slices.Equal(w.woken, want) || slices.Contains(w.kinds(), remote.TellNothing) {
			t.Fatalf("woken with %v, told %v", w.woken, w.kinds())
		}
		w.set(func() { w.turn = "msg_001_answer" })
		w.event(event.Rested, "")
		pass(time.Minute)
		if kinds := w.kinds(); !slices.Contains(kinds, remote.TellTurn) || slices.Contains(kinds, remote.TellNothing) || len(w.woken) != 1 {
			t.Errorf("told %v, woken %v", kinds, w.woken)
		}
		w.say(2, "and now")
		pass(2 * time.Minute)
		if kinds := w.kinds(); !slices.Contains(kinds, remote.TellNothing) || len(w.woken) != 2 {
			t.Errorf("it did not wake: told %v, woken %v", kinds, w.woken)
		}
	})
}

// Who stopped the turn before may have meant the prompt as well.
func TestWake_NotBehindAStop(t *testing.T) {
	for name, change := range map[string]func(*world){
		"stopped": func(w *world) { w.set(func() { w.aborted = true }) },
		"trouble": func(w *world) { w.event(event.Failed, "no such model") },
		"busy":    func(w *world) { w.set(func() { w.busy = true }) },
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.say(1, "hello")
				change(w)
				pass(time.Minute)
				if len(w.woken) > 0 {
					t.Errorf("woken with %v", w.woken)
				}
			})
		})
	}
}
