package sessions

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
)

// neighbour is another OpenCode of the same directory. It reads what the first one
// writes down, and does not know what runs there.
type neighbour struct{ *world }

func nextDoor() question.Origin {
	return question.Origin{Way: question.Link, Process: "b", Directory: origin().Directory}
}

func (n neighbour) Session(ctx context.Context, id question.SessionID) (question.Session, error) {
	s, err := n.world.Session(ctx, id)
	s.Busy = false
	return s, err
}

func (n neighbour) Turn(ctx context.Context, id question.SessionID) (question.Turn, error) {
	t, err := n.world.Turn(ctx, id)
	if t.Session.Busy {
		t.Session.Busy, t.Unfinished, t.Aborted, t.Ended = false, true, true, time.Now()
	}
	return t, err
}

// moveIn lets the neighbour be heard of.
func (w *world) moveIn() {
	w.Event(question.Event{Kind: question.Opened, Origin: nextDoor()})
	synctest.Wait()
}

// wantTurn wants that one end of a turn was told.
func (w *world) wantTurn(aborted, unfinished bool) {
	w.t.Helper()
	wantKinds(w.t, w, question.TellTurn)
	if len(w.told) == 1 && (w.told[0].Turn.Aborted != aborted || w.told[0].Turn.Unfinished != unfinished) {
		w.t.Errorf("told %+v", w.told[0].Turn)
	}
}

// atWork is a world after a restart, in which the session works where nobody is heard of yet.
func atWork() *world {
	w := &world{followed: followed{
		seated:   []question.Seat{{Chat: 1, Session: session, Origin: origin(), Title: "fix", Follow: true, Live: 77}},
		watching: []question.Watch{{Session: session, Origin: origin(), Since: time.Now(), For: []question.Listener{{Chat: 1, Message: 5, Prompt: "msg_000"}}}},
		away:     true,
	}}
	w.changes = []question.Change{{Said: []question.Said{{Chat: 1, Message: 77, Session: session, Origin: origin(), Title: "fix"}}}}
	w.busy = true
	return w
}

// That another OpenCode of the directory does not know of a turn is no end of it.
func TestANeighbourDoesNotEndATurn(t *testing.T) {
	inThat(t, atWork(), func(w *world) {
		w.moveIn()
		pass(time.Minute)
		wantKinds(t, w)
		if got := w.now(); got.Live != question.LiveAway {
			t.Errorf("it shows %+v", got)
		}
		w.returns()
		pass(time.Minute)
		wantKinds(t, w)
		if got := w.now(); got.Live != question.LiveWorks {
			t.Errorf("it shows %+v", got)
		}
		w.rests()
		w.wantTurn(false, false)
		if got := w.now(); got.Live != question.LiveEnded {
			t.Errorf("at the end it shows %+v", got)
		}
	})
}

// Whoever ran the turn may never be back: then it is told that its end is not known.
func TestATurnWhoseEndNobodyKnows(t *testing.T) {
	inThat(t, atWork(), func(w *world) {
		w.moveIn()
		pass(4 * time.Minute)
		wantKinds(t, w)
		pass(10 * time.Minute)
		w.wantTurn(false, true)
		if got := w.now(); got.Live != question.LiveEnded || got.Turn.Aborted {
			t.Errorf("it shows %+v", got)
		}
		if len(w.watches) != 0 || len(w.follows) != 0 {
			t.Errorf("%d are watched, %d followed", len(w.watches), len(w.follows))
		}
		w.returns() // after all
		w.event(question.Worked, "")
		w.set(func() { w.busy = false })
		w.event(question.Rested, "")
		pass(time.Minute)
		wantKinds(t, w, question.TellTurn, question.TellTurn)
	})
}

// What is known to be closed works no more.
func TestATurnOfAClosedOpenCode(t *testing.T) {
	in(t, func(w *world) {
		w.moveIn()
		w.say(1, "go on")
		w.set(func() { w.busy, w.turn = true, "msg_999" })
		w.event(question.Worked, "")
		pass(time.Minute)
		wantKinds(t, w)
		w.parts(question.Closed)
		pass(10 * time.Second)
		w.wantTurn(true, true)
	})
}

// What the neighbour reads of a turn that may go on is not called stopped.
func TestTheLastTurnAsANeighbourSeesIt(t *testing.T) {
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
				w.command(1, "/last")
				wantKinds(t, w, question.TellLast)
				if got := w.told[0].Turn; !got.Unfinished || got.Aborted != c.aborted {
					t.Errorf("the turn is %+v", got)
				}
			})
		})
	}
}
