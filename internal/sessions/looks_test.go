package sessions_test

import (
	"testing"
	"time"

	"hermes/internal/event"
	"hermes/internal/remote"
)

// restMidLook has the session rest when a look that began a while after it worked is half
// done.
func (w *world) restMidLook(after time.Duration) {
	w.begin() // which takes 3 seconds
	w.set(func() { w.slowly = time.Second })
	pass(after - 3*time.Second + 500*time.Millisecond)
	w.set(func() { w.busy, w.turn = false, "msg_999" })
	w.event(event.Rested, "")
	pass(10 * time.Second)
}

// A session that rests while it is looked at is looked at again soon, though it worked when
// that look began.
func TestTurn_RestsWhileItIsLookedAt(t *testing.T) {
	in(t, func(w *world) {
		w.say(1, "go on")
		pass(time.Second)
		w.restMidLook(2 * time.Minute)
		w.wantTold(remote.TellTurn)
	})
}

func TestLive_RestsWhileItIsLookedAt(t *testing.T) {
	in(t, func(w *world) {
		w.say(1, "/follow")
		w.restMidLook(32 * time.Second) // the first look is after two, the next half a minute later
		if got := w.lastShown().Live; got != remote.LiveEnded {
			t.Errorf("it shows %q", got)
		}
	})
}
