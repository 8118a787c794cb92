package sessions_test

import (
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/remote"
	"hermes/internal/session"
)

// What is only waited for does not hold up the end of hermes: it is looked for at the
// next start.
func TestEnd_WaitsForNoLook(t *testing.T) {
	tests := map[string]func(*world){
		"a session that goes on though it was stopped": func(w *world) {
			w.set(func() { w.busy = true })
			w.Take(tapped(1, 7, inbound.Button{Kind: inbound.ButtonStop, Session: testSession, At: time.Now()}), true)
		},
		"a prompt that was taken and is not there": func(w *world) {
			w.set(func() { w.forgets = true })
			w.say(1, "go on")
		},
	}
	for name, begin := range tests {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				begin(w)
				pass(200 * time.Millisecond)
				ends := time.Now()
				w.shutDown()
				if took := time.Since(ends); took > 0 {
					t.Errorf("it ends %s late", took)
				}
				w.wantOwed(1)
				w.wantTold()
				pass(time.Minute)
				if synctest.Wait(); len(w.texts()) > 0 {
					t.Errorf("told %q behind the end", w.texts())
				}
			})
		})
	}
}

// wantOwed fails the test if what came in an update is not done at the next start: neither
// the update nor the prompt that it was is in the store.
func (w *world) wantOwed(update int) {
	w.t.Helper()
	w.open()
	if w.consumed(update) && len(w.driving().Prompts) == 0 {
		w.t.Error("nothing of it is left in the store")
	}
	if err := w.real.Close(); err != nil {
		w.t.Error(err)
	}
}

// What a try comes to while hermes ends is kept, as far as it comes in time: that the session
// has the prompt, and that it would not take it.
func TestEnd_KeepsWhatATryCameTo(t *testing.T) {
	for name, end := range map[string]struct {
		unwilling error
		watched   int
		refused   bool // what the person hears of it: just in time, or from the next start, or of both
	}{
		"taken":   {nil, 1, false},
		"refused": {permanent{session.ErrNoAgent}, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.set(func() { w.slowly, w.unwilling = 2*time.Second, end.unwilling })
				w.say(1, "go on")
				pass(time.Second)
				w.shutDown()
				w.open()
				told, owed := w.texts(), w.driving().Prompts
				hears := len(told) > 0 && says(told[0], en.Sessions.Refused) || len(owed) > 0 && owed[0].End.Kind == remote.PromptRefused
				if d := w.driving(); len(w.tries) != 1 || hears != end.refused || len(told)+len(owed) > 2 || len(d.TurnWatches) != end.watched {
					t.Errorf("tried %+v; told %q, owed %+v, watched %+v", w.tries, told, owed, d.TurnWatches)
				}
				if err := w.real.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
