package sessions_test

import (
	"testing"
	"time"

	"hermes/internal/event"
	"hermes/internal/remote"
	"hermes/internal/storage"
)

// atWork is a world after a restart, in which the session works where nobody is heard of yet.
func atWork() *world {
	w := seededWorld(storage.Change{
		ChatSettings: []remote.ChatSettings{{Chat: adaChat, Session: testSession, Origin: origin(), Title: "fix", Follow: true, Live: 77}},
		TurnWatches:  []remote.TurnWatch{{Session: testSession, Origin: origin(), Since: time.Now(), For: []remote.Listener{{Chat: adaChat, Message: 5, Prompt: "msg_000"}}}},
		MessageRefs:  []remote.MessageRef{{Chat: adaChat, Message: 77, Session: testSession, Origin: origin(), Title: "fix"}},
	})
	w.away, w.busy = true, true
	return w
}

// That another OpenCode of the directory does not know of a turn is no end of it.
func TestNeighbour_DoesNotEndATurn(t *testing.T) {
	inThat(t, atWork(), func(w *world) {
		w.moveIn()
		pass(time.Minute)
		w.wantTold()
		if got := w.lastShown(); got.Live != remote.LiveAway {
			t.Errorf("it shows %+v", got)
		}
		w.comeBack()
		pass(time.Minute)
		w.wantTold()
		if got := w.lastShown(); got.Live != remote.LiveWorks {
			t.Errorf("it shows %+v", got)
		}
		w.rest()
		w.wantTurn(false, false)
		if got := w.lastShown(); got.Live != remote.LiveEnded {
			t.Errorf("at the end it shows %+v", got)
		}
	})
}

// Whoever ran the turn may never be back: then it is told that its end is not known.
func TestNeighbour_EndThatNobodyKnows(t *testing.T) {
	inThat(t, atWork(), func(w *world) {
		w.moveIn()
		pass(4 * time.Minute)
		w.wantTold()
		pass(10 * time.Minute)
		w.wantTurn(false, true)
		if got := w.lastShown(); got.Live != remote.LiveEnded || got.Turn.Aborted {
			t.Errorf("it shows %+v", got)
		}
		if d := w.driving(); len(d.TurnWatches) != 0 || d.ChatSettings[0].Live != 0 {
			t.Errorf("stored is %+v", d)
		}
		w.comeBack() // after all
		w.event(event.Worked, "")
		w.set(func() { w.busy = false })
		w.event(event.Rested, "")
		pass(time.Minute)
		w.wantTold(remote.TellTurn, remote.TellTurn)
	})
}

// What is known to be closed works no more.
func TestTurn_OfAClosedOpenCode(t *testing.T) {
	in(t, func(w *world) {
		w.moveIn()
		w.say(1, "go on")
		w.set(func() { w.busy, w.turn = true, "msg_999" })
		w.event(event.Worked, "")
		pass(time.Minute)
		w.wantTold()
		w.leave(event.Closed)
		pass(10 * time.Second)
		w.wantTurn(true, true)
	})
}

// What the neighbour reads of a turn that may go on is not called stopped.
func TestLast_AsANeighbourSeesIt(t *testing.T) {
	for name, c := range map[string]struct {
		before  func(*world)
		aborted bool
	}{
		"its own":   {func(w *world) { w.cut = true }, true},
		"another's": {func(w *world) { w.busy = true; w.away = true }, false},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.moveIn()
				w.set(func() { c.before(w) })
				w.say(1, "/last")
				w.wantTold(remote.TellLast)
				if got := w.told[0].Turn; !got.Unfinished || got.Aborted != c.aborted {
					t.Errorf("the turn is %+v", got)
				}
			})
		})
	}
}
