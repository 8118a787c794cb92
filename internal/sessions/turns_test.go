package sessions_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// restMidLook has the session rest when a look that began a while after it worked is half
// done.
func (w *world) restMidLook(after time.Duration) {
	w.begin() // which takes 3 seconds
	w.set(func() { w.slowly = time.Second })
	pass(after - 3*time.Second + 500*time.Millisecond)
	w.set(func() { w.busy, w.turn = false, "msg_999" })
	w.event(event.Rested, "")
	pass(10 * time.Second)
}

// A session that rests while it is looked at is looked at again soon, though it worked when
// that look began.
func TestTurn_RestsWhileItIsLookedAt(t *testing.T) {
	in(t, func(w *world) {
		w.say(1, "go on")
		pass(time.Second)
		w.restMidLook(2 * time.Minute)
		w.wantTold(en.Sessions.GoOn)
	})
}

// hearsOfTurns is a world with a chat that hears of every turn's end.
func hearsOfTurns() *world {
	return seededWorld(storage.Change{ChatSettings: []remote.ChatSettings{{Chat: 2, Level: remote.LevelTurns}}})
}

func (w *world) wantMessages(n int, when string) {
	w.t.Helper()
	pass(10 * time.Second)
	if got := len(w.texts()); got != n {
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
		w.set(func() { w.refuse = func(telling) error { return passing{fmt.Errorf("no network")} } })
		w.flash(testSession)
		w.wantMessages(0, "without a network")
		w.set(func() { w.refuse = nil })
		w.restart()
		w.set(func() { w.told = nil })
		w.flash(testSession)
		w.wantMessages(1, "after a restart")
	})
}

// OpenCode has the prompt, and did not begin with it: it is told to, once.
func TestWake_PromptThatWasPassedOver(t *testing.T) {
	in(t, func(w *world) {
		w.say(1, "hello")
		pass(20 * time.Second)
		if want := []session.MessageID{"msg_001"}; !slices.Equal(w.woken, want) || w.wasTold(en.Sessions.Nothing) {
			t.Fatalf("woken with %v, told %q", w.woken, w.texts())
		}
		w.set(func() { w.turn = "msg_001_answer" })
		w.event(event.Rested, "")
		pass(time.Minute)
		if !w.wasTold(en.Sessions.GoOn) || w.wasTold(en.Sessions.Nothing) || len(w.woken) != 1 {
			t.Errorf("told %q, woken %v", w.texts(), w.woken)
		}
		w.say(2, "and now")
		pass(2 * time.Minute)
		if !w.wasTold(en.Sessions.Nothing) || len(w.woken) != 2 {
			t.Errorf("it did not wake: told %q, woken %v", w.texts(), w.woken)
		}
	})
}

// Who stopped the turn before may have meant the prompt as well.
func TestWake_NotBehindAStop(t *testing.T) {
	for name, change := range map[string]func(*world){
		"stopped": func(w *world) { w.set(func() { w.aborted = true }) },
		"trouble": func(w *world) { w.event(event.Failed, "no such model") },
		"busy":    func(w *world) { w.set(func() { w.busy = true }) },
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.say(1, "hello")
				change(w)
				pass(time.Minute)
				if len(w.woken) > 0 {
					t.Errorf("woken with %v", w.woken)
				}
			})
		})
	}
}

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
		if got := w.lastShown(); !says(got, en.Sessions.Live.Away) {
			t.Errorf("it shows %+v", got)
		}
		w.comeBack()
		pass(time.Minute)
		w.wantTold()
		if got := w.lastShown(); !says(got, en.Sessions.Works) {
			t.Errorf("it shows %+v", got)
		}
		w.rest()
		w.wantTold(en.Sessions.Done)
		if got := w.lastShown(); !says(got, "💤") {
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
		w.wantTold(en.Sessions.EndUnknown)
		if got := w.lastShown(); !says(got, en.Sessions.EndUnknown) {
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
		w.wantTold(en.Sessions.GoOn, en.Sessions.GoOn)
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
		w.wantTold(en.Sessions.WasStopped)
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
				want := en.Sessions.EndUnknown
				if c.aborted {
					want = en.Sessions.WasStopped
				}
				w.wantTold(want)
			})
		})
	}
}

// However many sessions an OpenCode says to work, a bounded number of them is watched for
// chats that hear of all; those of others, and those that a person waits for, are too.
func TestTurns_OneOpenCodeHasABoundedNumber(t *testing.T) {
	const most = 200
	w := seededWorld(storage.Change{ChatSettings: []remote.ChatSettings{{Chat: adaChat, Session: testSession, Origin: origin(), Title: "fix", Level: remote.LevelTurns}}})
	inThat(t, w, func(w *world) {
		w.event(event.Opened, "")
		w.set(func() { w.busy = true })
		w.say(1, "go on")
		thief := linkOf("thief", "mallory")
		for n := range 5000 {
			kind := event.Worked
			if n%2 == 1 {
				kind = event.Rested
			}
			w.Event(event.Event{Kind: kind, Origin: thief, Session: session.ID(fmt.Sprint("ses_of_thief_", n))})
		}
		w.Event(event.Event{Kind: event.Worked, Origin: origin(), Session: "ses_2"})
		pass(time.Second)
		stored, others := 0, map[session.ID]bool{}
		for _, one := range w.driving().TurnWatches {
			if strings.HasPrefix(string(one.Session), "ses_of_thief") {
				stored++
			} else {
				others[one.Session] = true
			}
		}
		if stored > most || stored < most/4 {
			t.Errorf("%d watches of it are stored", stored)
		}
		if !others[testSession] || !others["ses_2"] {
			t.Errorf("of others %v are watched", others)
		}
		pass(time.Minute)
		if n := len(w.seen); n > most || n < most/2 {
			t.Errorf("%d of its sessions were looked at", n)
		}
		w.event(event.Opened, "") // and the person's is still looked at
		if got := strings.Count(w.logged.String(), "too many sessions"); got != 1 {
			t.Errorf("the log has it %d times\n%s", got, w.logged.String())
		}
	})
}
