package sessions_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// hearsOfTurns is a world with a chat that hears of every turn's end.
func hearsOfTurns() *world {
	return seededWorld(storage.Change{ChatSettings: []remote.ChatSettings{{Chat: 2, Level: remote.LevelTurns}}})
}

func (w *world) wantMessages(n int, when string) {
	w.t.Helper()
	pass(10 * time.Second)
	if got := len(w.kinds()); got != n {
		w.t.Errorf("%s: %d messages, want %d", when, got, n)
	}
}

// A turn that was told is not told again, however many others were since: a session may
// work and rest without another turn.
func TestTurn_ToldOnceAmongMany(t *testing.T) {
	const remembered = 4096 // turns, beside those in the store
	inThat(t, hearsOfTurns(), func(w *world) {
		w.flash("ses_first")
		w.wantMessages(1, "at its end")
		for n := range remembered + 10 {
			w.flash(session.ID(fmt.Sprint("ses_", n)))
			if synctest.Wait(); n%100 == 0 {
				pass(10 * time.Second)
			}
		}
		w.wantMessages(remembered+11, "after the others")
		w.flash("ses_first")
		w.flash(session.ID(fmt.Sprint("ses_", remembered+9)))
		w.flash("ses_100")
		w.wantMessages(remembered+11, "again")
	})
}

func TestTurn_ToldOnceThoughHermesIsRestarted(t *testing.T) {
	inThat(t, hearsOfTurns(), func(w *world) {
		w.flash(testSession)
		w.wantMessages(1, "at its end")
		w.restart()
		w.flash(testSession)
		w.wantMessages(1, "after a restart")
		w.set(func() { w.turn = "msg_777" })
		w.flash(testSession)
		w.wantMessages(2, "another turn")
	})
}

// What was told to nobody is not known as told.
func TestTurn_NotToldIsToldAfterARestart(t *testing.T) {
	inThat(t, hearsOfTurns(), func(w *world) {
		w.set(func() { w.refuse = func(remote.Message) error { return passing{fmt.Errorf("no network")} } })
		w.flash(testSession)
		w.wantMessages(0, "without a network")
		w.set(func() { w.refuse = nil })
		w.restart()
		w.set(func() { w.told = nil })
		w.flash(testSession)
		w.wantMessages(1, "after a restart")
	})
}
