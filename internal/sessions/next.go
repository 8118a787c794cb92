package sessions

import (
	"time"

	"hermes/internal/loop"
)

// Each obligation is a record. Its Next says, as a pure function of the record and the time,
// what is owed by now and when to ask again; whatever happens only changes the record. So
// there is one timer a record, and the start asks each record what it needs.

// step is one thing that a record owes.
type step string

const (
	lookStep    step = "look"    // see how the session stands
	storeStep   step = "store"   // store the record: it has lasted
	deliverStep step = "deliver" // make one try to bring the prompt to its session
	giveUpStep  step = "give-up" // no try has succeeded for too long
	noteStep    step = "note"    // let the question say what became of its late answer
	endStep     step = "end"     // store that nothing is owed any more, and tell
)

// due collects steps and the earliest time of those that are not due yet.
type due struct {
	now   time.Time
	wake  time.Time
	steps []step
}

// add adds a step that is due at a time. The zero time never comes.
func (d *due) add(s step, at time.Time) {
	switch {
	case at.IsZero():
	case !at.After(d.now):
		d.steps = append(d.steps, s)
	case d.wake.IsZero() || at.Before(d.wake):
		d.wake = at
	}
}

// isDue reports whether a time that may be zero has come.
func isDue(at, now time.Time) bool { return !at.IsZero() && !at.After(now) }

// alarm is the timer of one record.
type alarm struct{ timer *time.Timer }

// set has f run in the loop at a time, and at no other; the zero time: never. f may run once
// more after that, if it was under way.
func (a *alarm) set(l *loop.Loop, at time.Time, f func()) {
	a.stop()
	if !at.IsZero() {
		a.timer = l.After(time.Until(at), f)
	}
}

func (a *alarm) stop() {
	if a.timer != nil {
		a.timer.Stop()
	}
}
