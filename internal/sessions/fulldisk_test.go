package sessions_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/remote"
	"hermes/internal/storage"
)

// outage is a time in which the store takes nothing. The first change that it refuses may
// be carried out all the same.
type outage struct {
	after, lasts time.Duration
	anyway       bool
}

func outages(seed uint64) outage {
	dice := rand.New(rand.NewPCG(seed, 2))
	return outage{
		time.Duration(dice.Int64N(int64(1500 * time.Millisecond))), time.Duration(dice.Int64N(int64(5 * time.Minute))), dice.IntN(3) == 0,
	}
}

func (w *world) outage(o outage) {
	go func() {
		pass(o.after)
		w.set(func() { w.broken, w.anyway = errFullDisk, o.anyway })
		pass(o.lasts)
		w.set(func() { w.broken, w.anyway = nil, false })
	}()
}

// A prompt is in the journal once, and once that it arrived, with the time at which that
// was known, whenever the disk takes it.
func TestPrompt_OnAFullDisk(t *testing.T) {
	for seed := range uint64(50) {
		in(t, func(w *world) {
			o := outages(seed)
			w.outage(o)
			pass(700 * time.Millisecond)
			w.say(1, "go on")
			pass(6 * time.Minute)
			if slices.Contains(w.kinds(), remote.TellNotSaved) {
				w.say(2, "go on")
				pass(time.Minute)
			}
			said := w.entries(storage.EntryPrompted, storage.EntryCarried)
			if len(w.sent) != 1 || len(said) != 2 || said[0].Kind != storage.EntryPrompted || said[1].Kind != storage.EntryCarried {
				t.Fatalf("%+v: sent %v, the journal says %+v", o, w.sent, said)
			}
			if late := said[1].At.Sub(w.sentAt); late > 3*time.Second {
				t.Errorf("%+v: it is said to have arrived %v late", o, late)
			}
			if len(w.driving().Prompts) != 0 {
				t.Errorf("%+v: it is still owed", o)
			}
		})
	}
}

// That somebody wants a session stopped, and that it has stopped, are in the journal, each
// once, with the times of both.
func TestStop_OnAFullDisk(t *testing.T) {
	for seed := range uint64(50) {
		in(t, func(w *world) {
			o := outages(seed)
			w.set(func() { w.busy = true })
			w.outage(o)
			pass(700 * time.Millisecond)
			wished := time.Now()
			w.Take(tapped(1, 1, inbound.Button{Kind: inbound.ButtonStop, Session: testSession, At: time.Now()}), true)
			pass(700 * time.Millisecond)
			w.set(func() { w.busy = false })
			pass(10 * time.Minute)
			said := w.entries(storage.EntryStopping, storage.EntryHalted)
			if len(said) != 2 || said[0].Kind != storage.EntryStopping || said[1].Kind != storage.EntryHalted {
				t.Fatalf("%+v: the journal says %+v", o, said)
			}
			if said[0].At.Sub(wished) > time.Second || said[1].At.Sub(wished) > 3*time.Second {
				t.Errorf("%+v: said to be at %v and %v, wished at %v", o, said[0].At, said[1].At, wished)
			}
			if !w.consumed(1) {
				t.Errorf("%+v: the tap comes again", o)
			}
		})
	}
}

// A turn that was told while the disk was full is not told again after a restart.
func TestTurn_ToldOnAFullDiskIsNotToldAgain(t *testing.T) {
	inThat(t, hearsOfTurns(), func(w *world) {
		w.set(func() { w.broken = errFullDisk })
		w.flash(testSession)
		w.wantMessages(1, "at its end")
		w.set(func() { w.broken = nil })
		pass(time.Minute)
		w.restart()
		w.flash(testSession)
		w.wantMessages(1, "after a restart")
	})
}
