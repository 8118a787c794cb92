package sessions

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
)

// What is only waited for does not hold up the end of hermes: it is looked for at the
// next start.
func TestTheEndWaitsForNoLook(t *testing.T) {
	tests := map[string]func(*world){
		"a session that goes on though it was stopped": func(w *world) {
			w.set(func() { w.busy = true })
			w.Take(question.Input{
				Kind: question.Tapped, Update: 1, Chat: 1, Message: 7, Callback: "c", User: question.User{ID: 1, Name: "Ada"},
				Order: question.Order{Kind: question.OrderStop, Session: session, At: time.Now()},
			}, true)
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
				time.Sleep(200 * time.Millisecond)
				synctest.Wait()
				ends := time.Now()
				w.shutDown()
				if took := time.Since(ends); took > 0 {
					t.Errorf("it ends %s late", took)
				}
				w.owes(t, 1)
				wantKinds(t, w)
				time.Sleep(time.Minute)
				if synctest.Wait(); len(w.kinds()) > 0 {
					t.Errorf("told %q behind the end", w.kinds())
				}
			})
		})
	}
}

// owes fails the test if what came in an update is not done at the next start: neither
// the update nor the prompt that it was is in the store.
func (w *world) owes(t *testing.T, update question.UpdateID) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	var consumed, prompt, carried bool
	for _, c := range w.changes {
		consumed = consumed || slices.Contains(c.Consumed, update)
		prompt = prompt || len(c.Errands) > 0
		carried = carried || len(c.Carried) > 0
	}
	if consumed && (!prompt || carried) {
		t.Error("nothing of it is left in the store")
	}
}
