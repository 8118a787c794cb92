package sessions

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
)

// hears is a world with a chat that hears of every turn's end.
func hears() *world {
	return &world{followed: followed{seated: []question.Seat{{Chat: 2, Level: question.LevelTurns}}}}
}

// ends has a session work and rest.
func (w *world) ends(id question.SessionID) {
	w.t.Helper()
	w.Event(question.Event{Kind: question.Worked, Origin: origin(), Session: id})
	w.Event(question.Event{Kind: question.Rested, Origin: origin(), Session: id})
}

func (w *world) wantTold(n int, when string) {
	w.t.Helper()
	pass(10 * time.Second)
	if got := len(w.kinds()); got != n {
		w.t.Errorf("%s: %d messages, want %d", when, got, n)
	}
}

// A turn that was told is not told again, however many others were since: a session may
// work and rest without another turn.
func TestATurnIsToldOnceAmongMany(t *testing.T) {
	inThat(t, hears(), func(w *world) {
		w.ends("ses_first")
		w.wantTold(1, "at its end")
		for n := range maxHeard + 10 {
			w.ends(question.SessionID(fmt.Sprint("ses_", n)))
			if synctest.Wait(); n%100 == 0 {
				pass(10 * time.Second)
			}
		}
		w.wantTold(maxHeard+11, "after the others")
		w.ends("ses_first")
		w.ends(question.SessionID(fmt.Sprint("ses_", maxHeard+9)))
		w.ends("ses_100")
		w.wantTold(maxHeard+11, "again")
	})
}

func TestATurnIsToldOnceThoughHermesIsRestarted(t *testing.T) {
	w := hears()
	inThat(t, w, func(w *world) {
		w.ends(session)
		w.wantTold(1, "at its end")
	})
	inThat(t, w, func(w *world) {
		w.ends(session)
		w.wantTold(1, "after a restart")
		w.set(func() { w.turn = "msg_777" })
		w.ends(session)
		w.wantTold(2, "another turn")
	})
}

// What was told to nobody is not known as told.
func TestATurnThatCouldNotBeToldIsToldAfterARestart(t *testing.T) {
	w := hears()
	inThat(t, w, func(w *world) {
		w.set(func() { w.refuse = func(question.Telling) error { return passing{fmt.Errorf("no network")} } })
		w.ends(session)
		w.wantTold(0, "without a network")
		w.set(func() { w.refuse = nil })
		w.shutDown()
		w.set(func() { w.told = nil })
	})
	inThat(t, w, func(w *world) {
		w.ends(session)
		w.wantTold(1, "after a restart")
	})
}
