package sessions_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"hermes/internal/question"
)

func TestLive_ShowsATurn(t *testing.T) {
	in(t, func(w *world) {
		w.say(1, "/follow")
		if !slices.Equal(w.wanted, []question.SessionID{session}) {
			t.Errorf("heard are %q", w.wanted)
		}
		w.begin()
		if len(w.live) == 0 {
			t.Fatal("nothing is followed")
		}
		if id := w.seat(adaChat).Live; id != 2001 {
			t.Errorf("kept is %d", id)
		}
		w.speak(question.Spoken{Part: "a", Text: "I look"})
		w.speak(question.Spoken{Part: "b", Tool: "bash", Title: "npm test"})
		w.wantShown(question.LiveWorks, "bash: npm test", "I look")
		w.speak(question.Spoken{Part: "c", Tool: "read"})
		w.wantShown(question.LiveWorks, "read", "I look")
		w.speak(question.Spoken{Part: "c", Tool: "read", Ended: true})
		w.speak(question.Spoken{Part: "d"})
		w.wantShown(question.LiveWorks, "bash: npm test", "I look")
		w.set(func() {
			w.asks = []question.Thread{{Request: question.Request{Session: session}, Origins: []question.Origin{origin()}}}
		})
		w.event(question.Asked, "")
		pass(2 * time.Second)
		if got := w.lastShown(); got.Live != question.LiveWaits || got.Text != "" {
			t.Errorf("while it waits it shows %+v", got)
		}
		w.set(func() { w.asks = nil })
		w.event(question.Replied, "")
		pass(2 * time.Second)
		w.wantShown(question.LiveWorks, "bash: npm test", "I look")
		w.rest()
		if got := w.lastShown(); got.Live != question.LiveEnded || got.Turn.Text != "done" || len(w.live) != 1 {
			t.Errorf("at the end it shows %+v", got)
		}
		if id := w.seat(adaChat).Live; id != 0 {
			t.Errorf("kept is %d", id)
		}
		w.wantTold(question.TellFollow, question.TellTurn)
		n := len(w.shown)
		w.speak(question.Spoken{Part: "a", Text: "late"})
		pass(time.Minute)
		if len(w.shown) != n {
			t.Errorf("after the end it shows %+v", w.lastShown())
		}
		w.begin()
		w.say(2, "/follow off")
		if w.wantShown(question.LiveLeft, "", ""); len(w.wanted) != 0 || w.seat(adaChat).Live != 0 {
			t.Errorf("heard are %q", w.wanted)
		}
		w.rest()
		w.begin() // shows nothing new
		if len(w.live) != 2 {
			t.Errorf("%d live messages", len(w.live))
		}
	})
}

// A turn that is over at once, or that nobody follows, has no live message.
func TestLive_NoneForShortTurns(t *testing.T) {
	in(t, func(w *world) {
		w.say(1, "/follow")
		w.event(question.Worked, "")
		w.event(question.Rested, "")
		pass(time.Minute)
		if len(w.live) != 0 {
			t.Errorf("%+v", w.live)
		}
	})
}

func TestLive_HowItEnds(t *testing.T) {
	for name, c := range map[string]struct {
		play func(*world)
		want question.Live
	}{
		"stopped":                       {func(w *world) { w.set(func() { w.aborted = true }); w.rest() }, question.LiveEnded},
		"deleted":                       {func(w *world) { w.set(func() { w.gone = true }) }, question.LiveGone},
		"no event":                      {func(w *world) { w.set(func() { w.busy = false }) }, question.LiveEnded},
		"stopped, and not written down": {func(w *world) { w.set(func() { w.cut = true }); w.rest() }, question.LiveEnded},
		"cut off": {func(w *world) {
			w.leave(question.Lost)
			w.set(func() { w.busy, w.cut = false, true })
			w.comeBack()
		}, question.LiveClosed},
		"closed, and a neighbour tells": {func(w *world) {
			w.moveIn()
			w.leave(question.Closed)
		}, question.LiveClosed},
		"closed":        {func(w *world) { w.leave(question.Closed) }, question.LiveClosed},
		"lost":          {func(w *world) { w.leave(question.Lost) }, question.LiveAway},
		"lost and back": {func(w *world) { w.leave(question.Lost); pass(time.Minute); w.comeBack() }, question.LiveWorks},
		"lost, and ended meanwhile": {func(w *world) {
			w.leave(question.Lost)
			w.set(func() { w.busy = false })
			w.comeBack()
		}, question.LiveEnded},
		"another session is used": {func(w *world) { w.say(5, "/use off") }, question.LiveLeft},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.say(1, "/follow")
				w.begin()
				c.play(w)
				pass(45 * time.Second)
				final := c.want != question.LiveAway && c.want != question.LiveWorks
				if got := w.lastShown(); got.Live != c.want || got.Session.ID != session || (w.seat(adaChat).Live == 0) != final || len(w.live) != 1 {
					t.Errorf("it shows %+v, kept is %d, %d live messages", got, w.seat(adaChat).Live, len(w.live))
				}
			})
		})
	}
}

// A session may work again between two looks at it: its turn has no end then.
func TestLive_SessionGoesOnWhileItIsLookedAt(t *testing.T) {
	in(t, func(w *world) {
		w.say(1, "/follow")
		w.begin()
		w.set(func() { w.resumes = true })
		w.rest()
		pass(45 * time.Second)
		w.wantTold(question.TellFollow)
		w.wantShown(question.LiveWorks, "", "done")
		w.set(func() { w.resumes = false })
		w.rest()
		w.wantTold(question.TellFollow, question.TellTurn)
	})
}

// A message that somebody deleted is not sent again in that turn.
func TestLive_DeletedMessageIsNotSentAgain(t *testing.T) {
	in(t, func(w *world) {
		w.say(1, "/follow")
		w.begin()
		w.set(func() { w.refused = permanent{errors.New("message to edit not found")} })
		w.speak(question.Spoken{Part: "a", Text: "more"})
		pass(5 * time.Minute)
		if len(w.live) != 1 || w.seat(adaChat).Live != 0 {
			t.Errorf("%d live messages, kept is %d", len(w.live), w.seat(adaChat).Live)
		}
		w.rest()
		w.set(func() { w.refused = nil })
		w.begin()
		if len(w.live) != 2 {
			t.Error("the next turn is not followed")
		}
	})
}

// The next start finds the live message that a crash left behind.
func TestLive_AfterARestart(t *testing.T) {
	for name, c := range map[string]struct {
		before func(*world)
		after  func(*world)
		want   question.Live
	}{
		"works on":           {func(w *world) { w.busy = true }, func(w *world) { w.comeBack() }, question.LiveWorks},
		"ended":              {func(*world) {}, func(w *world) { w.comeBack() }, question.LiveEnded},
		"not reached":        {func(w *world) { w.away = true }, func(*world) {}, question.LiveAway},
		"reached later":      {func(w *world) { w.busy, w.away = true, true }, func(w *world) { pass(time.Minute); w.comeBack() }, question.LiveWorks},
		"of another session": {func(w *world) { w.seed.Said[0].Session = "ses_0" }, func(*world) {}, question.LiveLeft},
		"of nobody knows":    {func(w *world) { w.seed.Said = nil }, func(*world) {}, question.LiveLeft},
	} {
		t.Run(name, func(t *testing.T) {
			before := seededWorld(question.Change{
				Seats: []question.Seat{{Chat: adaChat, Session: session, Origin: origin(), Title: "fix", Follow: true, Live: 77}},
				Said:  []question.Said{{Chat: adaChat, Message: 77, Session: session, Origin: origin(), Title: "fix"}},
			})
			c.before(before)
			inThat(t, before, func(w *world) {
				c.after(w)
				pass(45 * time.Second)
				final := c.want == question.LiveEnded || c.want == question.LiveLeft
				if got := w.lastShown(); got.Live != c.want || len(w.live) != 1 || w.live[0].Message != 77 || (w.seat(1).Live == 0) != final {
					t.Errorf("it shows %+v; %d live messages, kept is %d", got, len(w.live), w.seat(1).Live)
				}
				if !slices.Equal(w.wanted, []question.SessionID{session}) {
					t.Errorf("heard are %q", w.wanted)
				}
			})
		})
	}
}

func TestFollow_NeedsASession(t *testing.T) {
	w := seededWorld(question.Change{})
	w.silent = false
	inThat(t, w, func(w *world) {
		w.say(1, "/follow")
		w.say(2, "/follow off")
		w.wantTold(question.TellWhich, question.TellFollow)
	})
}
