package sessions

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
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
		time.Sleep(o.after)
		w.set(func() { w.broken, w.anyway = errors.New("the disk is full"), o.anyway })
		time.Sleep(o.lasts)
		w.set(func() { w.broken, w.anyway = nil, false })
	}()
}

// entries are the journal's, of some kinds.
func (w *world) entries(kinds ...question.EntryKind) (list []question.Entry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.changes {
		for _, e := range c.Entries {
			if slices.Contains(kinds, e.Kind) {
				list = append(list, e)
			}
		}
	}
	return list
}

// A prompt is in the journal once, and once that it arrived, with the time at which that
// was known, whenever the disk takes it.
func TestAPromptOnAFullDisk(t *testing.T) {
	for seed := range uint64(50) {
		in(t, func(w *world) {
			o := outages(seed)
			w.outage(o)
			time.Sleep(700 * time.Millisecond)
			w.say(1, "go on")
			time.Sleep(6 * time.Minute)
			synctest.Wait()
			if slices.Contains(w.kinds(), question.TellNotSaved) {
				w.say(2, "go on")
				time.Sleep(time.Minute)
				synctest.Wait()
			}
			said := w.entries(question.EntryPrompted, question.EntryCarried)
			if len(w.sent) != 1 || len(said) != 2 || said[0].Kind != question.EntryPrompted || said[1].Kind != question.EntryCarried {
				t.Fatalf("%+v: sent %v, the journal says %+v", o, w.sent, said)
			}
			if late := said[1].At.Sub(w.sentAt); late > 3*time.Second {
				t.Errorf("%+v: it is said to have arrived %v late", o, late)
			}
			if len(w.errands()) != 0 {
				t.Errorf("%+v: it is still owed", o)
			}
		})
	}
}

// That somebody wants a session stopped, and that it has stopped, are in the journal, each
// once, with the times of both.
func TestAStopOnAFullDisk(t *testing.T) {
	for seed := range uint64(50) {
		in(t, func(w *world) {
			o := outages(seed)
			w.set(func() { w.busy = true })
			w.outage(o)
			time.Sleep(700 * time.Millisecond)
			wished := time.Now()
			w.Take(question.Input{
				Kind: question.Tapped, Update: 1, Chat: 1, Private: true, Message: 1, User: question.User{ID: 1, Name: "Ada"},
				Order: question.Order{Kind: question.OrderStop, Session: session, At: time.Now()},
			}, true)
			time.Sleep(700 * time.Millisecond)
			w.set(func() { w.busy = false })
			time.Sleep(10 * time.Minute)
			synctest.Wait()
			said := w.entries(question.EntryStopping, question.EntryHalted)
			if len(said) != 2 || said[0].Kind != question.EntryStopping || said[1].Kind != question.EntryHalted {
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
func TestATurnThatWasToldOnAFullDisk(t *testing.T) {
	w := hears()
	inThat(t, w, func(w *world) {
		w.set(func() { w.broken = errors.New("the disk is full") })
		w.ends(session)
		w.wantTold(1, "at its end")
		w.set(func() { w.broken = nil })
		time.Sleep(time.Minute)
	})
	inThat(t, w, func(w *world) {
		w.ends(session)
		w.wantTold(1, "after a restart")
	})
}
