package sessions_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// Whatever another OpenCode says of a session that works, no turn is ended, told or shown
// by it, and no prompt goes there.
func TestOwner_AnotherOpenCodeHasNoSay(t *testing.T) {
	for _, c := range []struct{ home, other session.Origin }{
		{linkOf("a", "laptop"), linkOf("thief", "mallory")},
		{linkOf("a", "laptop"), linkOf("thief", "laptop")}, // of the same machine: as long as the session works
		{linkOf("a", ""), linkOf("thief", "")},
		{origin(), linkOf("thief", "mallory")},
		{origin(), linkOf("thief", "")},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			w := seededWorld(storage.Change{ChatSettings: []remote.ChatSettings{{Chat: adaChat, Session: testSession, Origin: c.home, Title: "fix", Follow: true, Level: remote.LevelAll}}})
			inThat(t, w, func(w *world) {
				say := func(o session.Origin, kind event.Kind) {
					w.Event(event.Event{Kind: kind, Origin: o, Session: testSession, Text: "stolen", Spoken: session.StreamChunk{Part: "x", Text: "stolen"}})
					synctest.Wait()
				}
				say(c.home, event.Opened)
				w.set(func() { w.busy, w.since = true, time.Now() })
				say(c.home, event.Worked)
				pass(3 * time.Second)
				say(c.other, event.Opened)
				for _, kind := range []event.Kind{event.Worked, event.Spoke, event.Failed, event.Retried, event.Rested, event.Asked, event.Replied, event.Rejected} {
					say(c.other, kind)
				}
				w.set(func() {
					w.asks = []question.Thread{{Request: question.Request{Session: testSession}, Place: session.Place{Root: testSession}, Origins: []session.Origin{linkOf("thief", "mallory")}}}
				})
				pass(5 * time.Minute)
				if told := w.texts(); len(told) > 1 || len(told) == 1 && !says(told[0], "▶️ ") {
					t.Errorf("told %+v", w.told)
				}
				if got := w.lastShown(); !says(got, en.Sessions.Works) || says(got, "stolen") {
					t.Errorf("it shows %q", got)
				}
				w.say(1, "go on")
				pass(time.Minute)
				if len(w.stolen) != 0 || len(w.sent) != 1 {
					t.Errorf("%d prompts went elsewhere, %d where they belong", len(w.stolen), len(w.sent))
				}
				say(c.other, event.Closed)
				w.set(func() { w.busy, w.turn, w.asks = false, "msg_900", nil })
				say(c.home, event.Rested)
				pass(time.Minute)
				if n := len(w.told); n == 0 || !says(w.told[n-1].text, "\n\ndone") || !says(w.told[n-1].text, en.Sessions.GoOn) {
					t.Errorf("told at last %+v", w.told)
				}
			})
		})
	}
}

// A session that rests, or whose OpenCode is not connected, does not go over to another
// machine.
func TestOwner_SessionStaysOnItsMachine(t *testing.T) {
	home, other := linkOf("a", "laptop"), linkOf("thief", "mallory")
	w := seededWorld(storage.Change{ChatSettings: []remote.ChatSettings{{Chat: adaChat, Session: testSession, Origin: home, Title: "fix", Level: remote.LevelAll}}})
	inThat(t, w, func(w *world) {
		w.set(func() { w.away = true })
		for _, kind := range []event.Kind{event.Opened, event.Worked, event.Rested} {
			w.Event(event.Event{Kind: kind, Origin: other, Session: testSession})
			pass(time.Minute)
		}
		w.say(1, "go on")
		pass(time.Minute)
		if len(w.stolen) != 0 {
			t.Errorf("%+v went elsewhere", w.stolen)
		}
		for _, tell := range w.told {
			if says(tell.text, "▶️ ") || says(tell.text, en.Sessions.GoOn) {
				t.Errorf("told %+v", tell)
			}
		}
		w.set(func() { w.away = false })
		w.Event(event.Event{Kind: event.Opened, Origin: linkOf("restarted", "laptop")})
		pass(time.Minute)
		if len(w.stolen) != 0 || len(w.sent) != 1 {
			t.Errorf("%d prompts went elsewhere, %d where they belong", len(w.stolen), len(w.sent))
		}
	})
}

// The list shows a session where it is known to be.
func TestOwner_ListShowsNoSessionOfAnother(t *testing.T) {
	home, other := linkOf("a", "laptop"), linkOf("thief", "mallory")
	w := seededWorld(storage.Change{ChatSettings: []remote.ChatSettings{{Chat: adaChat, Session: testSession, Origin: home, Title: "fix"}}})
	inThat(t, w, func(w *world) {
		for _, o := range []session.Origin{home, other} {
			w.Event(event.Event{Kind: event.Opened, Origin: o})
		}
		w.say(1, "/sessions")
		pass(time.Second)
		for _, tell := range w.told {
			if len(tell.rows) > 0 {
				t.Errorf("listed is %q", tell.text)
			}
		}
		w.say(2, "/use "+string(testSession))
		pass(time.Second)
		if settings := w.settings(1); settings.Origin != home {
			t.Errorf("the chat uses %+v", settings)
		}
	})
}
