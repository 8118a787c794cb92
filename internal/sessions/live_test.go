package sessions_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

func TestLive_ShowsATurn(t *testing.T) {
	in(t, func(w *world) {
		w.say(1, "/follow")
		if !slices.Equal(w.wanted, []session.ID{testSession}) {
			t.Errorf("heard are %q", w.wanted)
		}
		w.begin()
		if len(w.live) == 0 {
			t.Fatal("nothing is followed")
		}
		if id := w.settings(adaChat).Live; id != 2001 {
			t.Errorf("kept is %d", id)
		}
		w.speak(session.StreamChunk{Part: "a", Text: "I look"})
		w.speak(session.StreamChunk{Part: "b", Tool: "bash", Title: "npm test"})
		w.wantShown(en.Sessions.Works, "bash: npm test", "I look")
		w.speak(session.StreamChunk{Part: "c", Tool: "read"})
		w.wantShown(en.Sessions.Works, "read", "I look")
		w.speak(session.StreamChunk{Part: "c", Tool: "read", Ended: true})
		w.speak(session.StreamChunk{Part: "d"})
		w.wantShown(en.Sessions.Works, "bash: npm test", "I look")
		w.set(func() {
			w.asks = []question.Thread{{Request: question.Request{Session: testSession}, Origins: []session.Origin{origin()}}}
		})
		w.event(event.Asked, "")
		pass(2 * time.Second)
		w.wantShown(en.Sessions.WaitsForYou + "\n\nI look")
		w.set(func() { w.asks = nil })
		w.event(event.Replied, "")
		pass(2 * time.Second)
		w.wantShown(en.Sessions.Works, "bash: npm test", "I look")
		w.rest()
		if got := w.lastShown(); !says(got, "💤") || len(w.live) != 1 {
			t.Errorf("at the end it shows %q", got)
		}
		if id := w.settings(adaChat).Live; id != 0 {
			t.Errorf("kept is %d", id)
		}
		w.wantTold(en.Sessions.Live.On, en.Sessions.GoOn)
		n := len(w.shown)
		w.speak(session.StreamChunk{Part: "a", Text: "late"})
		pass(time.Minute)
		if len(w.shown) != n {
			t.Errorf("after the end it shows %q", w.lastShown())
		}
		w.begin()
		w.say(2, "/follow off")
		if w.wantShown(en.Sessions.Live.Left); len(w.wanted) != 0 || w.settings(adaChat).Live != 0 {
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
		w.event(event.Worked, "")
		w.event(event.Rested, "")
		pass(time.Minute)
		if len(w.live) != 0 {
			t.Errorf("%+v", w.live)
		}
	})
}

func TestLive_HowItEnds(t *testing.T) {
	for name, c := range map[string]struct {
		play func(*world)
		want string
	}{
		"stopped":                       {func(w *world) { w.set(func() { w.aborted = true }); w.rest() }, en.Sessions.WasStopped},
		"deleted":                       {func(w *world) { w.set(func() { w.gone = true }) }, en.Sessions.Gone},
		"no event":                      {func(w *world) { w.set(func() { w.busy = false }) }, en.Sessions.Done},
		"stopped, and not written down": {func(w *world) { w.set(func() { w.cut = true }); w.rest() }, en.Sessions.WasStopped},
		"cut off": {func(w *world) {
			w.leave(event.Lost)
			w.set(func() { w.busy, w.cut = false, true })
			w.comeBack()
		}, en.Sessions.Live.Closed},
		"closed, and a neighbour tells": {func(w *world) {
			w.moveIn()
			w.leave(event.Closed)
		}, en.Sessions.Live.Closed},
		"closed":        {func(w *world) { w.leave(event.Closed) }, en.Sessions.Live.Closed},
		"lost":          {func(w *world) { w.leave(event.Lost) }, en.Sessions.Live.Away},
		"lost and back": {func(w *world) { w.leave(event.Lost); pass(time.Minute); w.comeBack() }, en.Sessions.Works},
		"lost, and ended meanwhile": {func(w *world) {
			w.leave(event.Lost)
			w.set(func() { w.busy = false })
			w.comeBack()
		}, en.Sessions.Done},
		"another session is used": {func(w *world) { w.say(5, "/use off") }, en.Sessions.Live.Left},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.say(1, "/follow")
				w.begin()
				c.play(w)
				pass(45 * time.Second)
				final := c.want != en.Sessions.Live.Away && c.want != en.Sessions.Works
				if got := w.lastShown(); !says(got, c.want) || !says(got, "shop · fix\n") || (w.settings(adaChat).Live == 0) != final || len(w.live) != 1 {
					t.Errorf("it shows %q, kept is %d, %d live messages", got, w.settings(adaChat).Live, len(w.live))
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
		w.wantTold(en.Sessions.Live.On)
		w.wantShown(en.Sessions.Works, "", "done")
		w.set(func() { w.resumes = false })
		w.rest()
		w.wantTold(en.Sessions.Live.On, en.Sessions.GoOn)
	})
}

// A message that somebody deleted is not sent again in that turn.
func TestLive_DeletedMessageIsNotSentAgain(t *testing.T) {
	in(t, func(w *world) {
		w.say(1, "/follow")
		w.begin()
		w.set(func() { w.refused = permanent{errors.New("message to edit not found")} })
		w.speak(session.StreamChunk{Part: "a", Text: "more"})
		pass(5 * time.Minute)
		if len(w.live) != 1 || w.settings(adaChat).Live != 0 {
			t.Errorf("%d live messages, kept is %d", len(w.live), w.settings(adaChat).Live)
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
		want   string
	}{
		"works on":           {func(w *world) { w.busy = true }, func(w *world) { w.comeBack() }, en.Sessions.Works},
		"ended":              {func(*world) {}, func(w *world) { w.comeBack() }, en.Sessions.Done},
		"not reached":        {func(w *world) { w.away = true }, func(*world) {}, en.Sessions.Live.Away},
		"reached later":      {func(w *world) { w.busy, w.away = true, true }, func(w *world) { pass(time.Minute); w.comeBack() }, en.Sessions.Works},
		"of another session": {func(w *world) { w.seed.MessageRefs[0].Session = "ses_0" }, func(*world) {}, en.Sessions.Live.Left},
		"of nobody knows":    {func(w *world) { w.seed.MessageRefs = nil }, func(*world) {}, en.Sessions.Live.Left},
	} {
		t.Run(name, func(t *testing.T) {
			before := seededWorld(storage.Change{
				ChatSettings: []remote.ChatSettings{{Chat: adaChat, Session: testSession, Origin: origin(), Title: "fix", Follow: true, Live: 77}},
				MessageRefs:  []remote.MessageRef{{Chat: adaChat, Message: 77, Session: testSession, Origin: origin(), Title: "fix"}},
			})
			c.before(before)
			inThat(t, before, func(w *world) {
				c.after(w)
				pass(45 * time.Second)
				final := c.want == en.Sessions.Done || c.want == en.Sessions.Live.Left
				if got := w.lastShown(); !says(got, c.want) || len(w.live) != 1 || w.live[0].Message != 77 || (w.settings(1).Live == 0) != final {
					t.Errorf("it shows %q; %d live messages, kept is %d", got, len(w.live), w.settings(1).Live)
				}
				if !slices.Equal(w.wanted, []session.ID{testSession}) {
					t.Errorf("heard are %q", w.wanted)
				}
			})
		})
	}
}

func TestFollow_NeedsASession(t *testing.T) {
	w := seededWorld(storage.Change{})
	w.silent = false
	inThat(t, w, func(w *world) {
		w.say(1, "/follow")
		w.say(2, "/follow off")
		w.wantTold(en.Sessions.Which, en.Sessions.Live.Off)
	})
}
