package sessions_test

import (
	"testing"
	"time"

	"hermes/internal/question"
)

// atWork is a world after a restart, in which the session works where nobody is heard of yet.
func atWork() *world {
	w := seededWorld(question.Change{
		Seats:   []question.Seat{{Chat: adaChat, Session: session, Origin: origin(), Title: "fix", Follow: true, Live: 77}},
		Watches: []question.Watch{{Session: session, Origin: origin(), Since: time.Now(), For: []question.Listener{{Chat: adaChat, Message: 5, Prompt: "msg_000"}}}},
		Said:    []question.Said{{Chat: adaChat, Message: 77, Session: session, Origin: origin(), Title: "fix"}},
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
		if got := w.lastShown(); got.Live != question.LiveAway {
			t.Errorf("it shows %+v", got)
		}
		w.comeBack()
		pass(time.Minute)
		w.wantTold()
		if got := w.lastShown(); got.Live != question.LiveWorks {
			t.Errorf("it shows %+v", got)
		}
		w.rest()
		w.wantTurn(false, false)
		if got := w.lastShown(); got.Live != question.LiveEnded {
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
		if got := w.lastShown(); got.Live != question.LiveEnded || got.Turn.Aborted {
			t.Errorf("it shows %+v", got)
		}
		if d := w.driving(); len(d.Watches) != 0 || d.Seats[0].Live != 0 {
			t.Errorf("stored is %+v", d)
		}
		w.comeBack() // after all
		w.event(question.Worked, "")
		w.set(func() { w.busy = false })
		w.event(question.Rested, "")
		pass(time.Minute)
		w.wantTold(question.TellTurn, question.TellTurn)
	})
}

// What is known to be closed works no more.
func TestTurn_OfAClosedOpenCode(t *testing.T) {
	in(t, func(w *world) {
		w.moveIn()
		w.say(1, "go on")
		w.set(func() { w.busy, w.turn = true, "msg_999" })
		w.event(question.Worked, "")
		pass(time.Minute)
		w.wantTold()
		w.leave(question.Closed)
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
				w.wantTold(question.TellLast)
				if got := w.told[0].Turn; !got.Unfinished || got.Aborted != c.aborted {
					t.Errorf("the turn is %+v", got)
				}
			})
		})
	}
}
