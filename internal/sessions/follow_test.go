package sessions

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
)

// followed is what a world has for those who follow sessions.
type followed struct {
	wanted  []question.SessionID // that are to be heard
	live    []question.Following
	shown   []question.Telling // in the live message
	refused error              // of the live message
	since   time.Time          // that the turn goes on
	cut     bool               // its end was not written down
	resumes bool               // the session works again when its turn is asked for
	aborted bool               // it was stopped
	asks    []question.Thread  // that people are shown
	stolen  []question.Prompt  // that another OpenCode got
	gone    bool               // there is no such session
	away    bool               // its OpenCode cannot be reached
	seated  []question.Seat    // what was stored before

	watching []question.Watch // the same
}

// Follow shows at once whatever it is told to.
func (w *world) Follow(f question.Following) (touch, end func()) {
	w.set(func() { w.live = append(w.live, f) })
	id := f.Message
	if id == 0 {
		id = question.PostedID(2000 + len(w.live))
	}
	show := func() {
		go func() {
			t := f.Now()
			w.set(func() { w.shown = append(w.shown, t) })
			f.Shown(id, w.refused)
		}()
	}
	show()
	return show, show
}

func (w *world) reach(o question.Origin) (Agent, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if o == nextDoor() {
		return neighbour{w}, true
	}
	if o.Process == "thief" {
		return thief{w}, true
	}
	return w, !w.away
}

// parts with the OpenCode, and back that it is there again.
func (w *world) parts(kind question.EventKind) {
	w.set(func() { w.away = true })
	w.event(kind, "")
}

func (w *world) returns() {
	w.set(func() { w.away = false })
	w.event(question.Opened, "")
}

// command is one in the chat that is followed.
func (w *world) command(update int, text string) {
	w.t.Helper()
	name, _, _ := strings.Cut(text[1:], " ")
	if !w.Take(question.Input{
		Kind: question.Typed, Command: name, Update: question.UpdateID(update), Chat: 1, Private: true,
		Message: question.PostedID(update), Text: text, User: question.User{ID: 1, Name: "Ada"}, Sent: time.Now(),
	}, true) {
		w.t.Errorf("%q was not taken", text)
	}
	synctest.Wait()
}

// speak is a step of the followed session.
func (w *world) speak(s question.Spoken) {
	w.Event(question.Event{Kind: question.Spoke, Origin: origin(), Session: session, Spoken: s})
	synctest.Wait()
}

func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// works lets the session work, and the live message be shown.
func (w *world) works() {
	w.t.Helper()
	w.set(func() { w.busy, w.since = true, time.Now() })
	w.event(question.Worked, "")
	pass(3 * time.Second)
	if len(w.live) == 0 {
		w.t.Error("nothing is followed")
	}
}

// rests lets it rest for long enough.
func (w *world) rests() {
	w.set(func() { w.busy, w.turn = false, w.turn+"1" })
	w.event(question.Rested, "")
	pass(8 * time.Second)
}

// now is what the live message shows.
func (w *world) now() question.Telling {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.shown) == 0 {
		w.t.Error("nothing was shown")
		return question.Telling{}
	}
	return w.shown[len(w.shown)-1]
}

// kept is the live message that the chat's seat has in the store.
func (w *world) kept() (id question.PostedID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.changes {
		for _, s := range c.Seats {
			id = s.Live
		}
	}
	return id
}

func (w *world) wantNow(live question.Live, text, words string) {
	w.t.Helper()
	if t := w.now(); t.Live != live || t.Text != text || t.Turn.Text != words || t.Session.ID != session || t.Kind != question.TellLive {
		w.t.Errorf("it shows %q, %q, %q of %+v, want %q, %q, %q", t.Live, t.Text, t.Turn.Text, t.Session, live, text, words)
	}
}

func TestATurnIsFollowed(t *testing.T) {
	in(t, func(w *world) {
		w.command(1, "/follow")
		if !slices.Equal(w.wanted, []question.SessionID{session}) {
			t.Errorf("heard are %q", w.wanted)
		}
		w.works()
		if id := w.kept(); id != 2001 {
			t.Errorf("kept is %d", id)
		}
		w.speak(question.Spoken{Part: "a", Text: "I look"})
		w.speak(question.Spoken{Part: "b", Tool: "bash", Title: "npm test"})
		w.wantNow(question.LiveWorks, "bash: npm test", "I look")
		w.speak(question.Spoken{Part: "c", Tool: "read"})
		w.wantNow(question.LiveWorks, "read", "I look")
		w.speak(question.Spoken{Part: "c", Tool: "read", Ended: true})
		w.speak(question.Spoken{Part: "d"})
		w.wantNow(question.LiveWorks, "bash: npm test", "I look")
		w.set(func() {
			w.asks = []question.Thread{{Request: question.Request{Session: session}, Origins: []question.Origin{origin()}}}
		})
		w.event(question.Asked, "")
		pass(2 * time.Second)
		if got := w.now(); got.Live != question.LiveWaits || got.Text != "" {
			t.Errorf("while it waits it shows %+v", got)
		}
		w.set(func() { w.asks = nil })
		w.event(question.Replied, "")
		pass(2 * time.Second)
		w.wantNow(question.LiveWorks, "bash: npm test", "I look")
		w.rests()
		if got := w.now(); got.Live != question.LiveEnded || got.Turn.Text != "done" || len(w.live) != 1 {
			t.Errorf("at the end it shows %+v", got)
		}
		if id := w.kept(); id != 0 || len(w.follows) != 0 {
			t.Errorf("kept is %d, followed %v", id, w.follows)
		}
		wantKinds(t, w, question.TellFollow, question.TellTurn)
		n := len(w.shown)
		w.speak(question.Spoken{Part: "a", Text: "late"})
		pass(time.Minute)
		if len(w.shown) != n || len(w.follows) != 0 {
			t.Errorf("after the end it shows %+v", w.now())
		}
		w.works()
		w.command(2, "/follow off")
		if w.wantNow(question.LiveLeft, "", ""); len(w.wanted) != 0 || w.kept() != 0 {
			t.Errorf("heard are %q", w.wanted)
		}
		w.rests()
		w.works() // shows nothing new
		if len(w.live) != 2 {
			t.Errorf("%d live messages", len(w.live))
		}
	})
}

// A turn that is over at once, or that nobody follows, has no live message.
func TestShortTurnsAreNotFollowed(t *testing.T) {
	in(t, func(w *world) {
		w.command(1, "/follow")
		w.event(question.Worked, "")
		w.event(question.Rested, "")
		pass(time.Minute)
		if len(w.live) != 0 || len(w.follows) != 0 {
			t.Errorf("%+v", w.live)
		}
	})
}

func TestHowWhatIsFollowedEnds(t *testing.T) {
	for name, c := range map[string]struct {
		play func(*world)
		want question.Live
	}{
		"stopped":                       {func(w *world) { w.set(func() { w.aborted = true }); w.rests() }, question.LiveEnded},
		"deleted":                       {func(w *world) { w.set(func() { w.gone = true }) }, question.LiveGone},
		"no event":                      {func(w *world) { w.set(func() { w.busy = false }) }, question.LiveEnded},
		"stopped, and not written down": {func(w *world) { w.set(func() { w.cut = true }); w.rests() }, question.LiveEnded},
		"cut off": {func(w *world) {
			w.parts(question.Lost)
			w.set(func() { w.busy, w.cut = false, true })
			w.returns()
		}, question.LiveClosed},
		"closed, and a neighbour tells": {func(w *world) {
			w.moveIn()
			w.parts(question.Closed)
		}, question.LiveClosed},
		"closed":        {func(w *world) { w.parts(question.Closed) }, question.LiveClosed},
		"lost":          {func(w *world) { w.parts(question.Lost) }, question.LiveAway},
		"lost and back": {func(w *world) { w.parts(question.Lost); pass(time.Minute); w.returns() }, question.LiveWorks},
		"lost, and ended meanwhile": {func(w *world) {
			w.parts(question.Lost)
			w.set(func() { w.busy = false })
			w.returns()
		}, question.LiveEnded},
		"another session is used": {func(w *world) { w.command(5, "/use off") }, question.LiveLeft},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.command(1, "/follow")
				w.works()
				c.play(w)
				pass(45 * time.Second)
				final := c.want != question.LiveAway && c.want != question.LiveWorks
				if got := w.now(); got.Live != c.want || got.Session.ID != session || (w.kept() == 0) != final || len(w.live) != 1 {
					t.Errorf("it shows %+v, kept is %d, %d live messages", got, w.kept(), len(w.live))
				}
			})
		})
	}
}

// A session may work again between two looks at it: its turn has no end then.
func TestASessionThatGoesOnWhileItIsLookedAt(t *testing.T) {
	in(t, func(w *world) {
		w.command(1, "/follow")
		w.works()
		w.set(func() { w.resumes = true })
		w.rests()
		pass(45 * time.Second)
		wantKinds(t, w, question.TellFollow)
		w.wantNow(question.LiveWorks, "", "done")
		w.set(func() { w.resumes = false })
		w.rests()
		wantKinds(t, w, question.TellFollow, question.TellTurn)
	})
}

// A message that somebody deleted is not sent again in that turn.
func TestADeletedLiveMessage(t *testing.T) {
	in(t, func(w *world) {
		w.command(1, "/follow")
		w.works()
		w.set(func() { w.refused = permanent{errors.New("message to edit not found")} })
		w.speak(question.Spoken{Part: "a", Text: "more"})
		pass(5 * time.Minute)
		if len(w.live) != 1 || w.kept() != 0 {
			t.Errorf("%d live messages, kept is %d", len(w.live), w.kept())
		}
		w.rests()
		w.set(func() { w.refused = nil })
		w.works()
		if len(w.live) != 2 {
			t.Error("the next turn is not followed")
		}
	})
}

// The next start finds the live message that a crash left behind.
func TestALiveMessageAfterARestart(t *testing.T) {
	for name, c := range map[string]struct {
		before func(*world)
		after  func(*world)
		want   question.Live
	}{
		"works on":           {func(w *world) { w.busy = true }, func(w *world) { w.returns() }, question.LiveWorks},
		"ended":              {func(*world) {}, func(w *world) { w.returns() }, question.LiveEnded},
		"not reached":        {func(w *world) { w.away = true }, func(*world) {}, question.LiveAway},
		"reached later":      {func(w *world) { w.busy, w.away = true, true }, func(w *world) { pass(time.Minute); w.returns() }, question.LiveWorks},
		"of another session": {func(w *world) { w.changes[0].Said[0].Session = "ses_0" }, func(*world) {}, question.LiveLeft},
		"of nobody knows":    {func(w *world) { w.changes = nil }, func(*world) {}, question.LiveLeft},
	} {
		t.Run(name, func(t *testing.T) {
			before := &world{
				followed: followed{seated: []question.Seat{{Chat: 1, Session: session, Origin: origin(), Title: "fix", Follow: true, Live: 77}}},
				changes:  []question.Change{{Said: []question.Said{{Chat: 1, Message: 77, Session: session, Origin: origin(), Title: "fix"}}}},
			}
			c.before(before)
			inThat(t, before, func(w *world) {
				c.after(w)
				pass(45 * time.Second)
				final := c.want == question.LiveEnded || c.want == question.LiveLeft
				if got := w.now(); got.Live != c.want || len(w.live) != 1 || w.live[0].Message != 77 || (w.seat(1).Live == 0) != final {
					t.Errorf("it shows %+v; %d live messages, kept is %d", got, len(w.live), w.seat(1).Live)
				}
				if !slices.Equal(w.wanted, []question.SessionID{session}) {
					t.Errorf("heard are %q", w.wanted)
				}
			})
		})
	}
}

func TestFollowNeedsASession(t *testing.T) {
	in(t, func(w *world) {
		w.seats.Delete(question.ChatID(1))
		w.command(1, "/follow")
		w.command(2, "/follow off")
		wantKinds(t, w, question.TellWhich, question.TellFollow)
	})
}
