package sessions

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
)

// thief is another OpenCode that says it has the session, and that its turn is over.
type thief struct{ *world }

func (t thief) Session(context.Context, question.SessionID) (question.Session, error) {
	return question.Session{ID: session, Title: "stolen", Directory: "/src/shop"}, nil
}

func (t thief) Sessions(context.Context, int) ([]question.Session, error) {
	return []question.Session{{ID: session, Title: "stolen", Directory: "/src/shop", Busy: true, Updated: time.Now()}}, nil
}

func (t thief) Turn(context.Context, question.SessionID) (question.Turn, error) {
	return question.Turn{Message: "msg_zzz", Text: "stolen", Ended: time.Now(), Session: question.Session{ID: session, Title: "stolen"}}, nil
}

func (t thief) Prompt(_ context.Context, p question.Prompt) error {
	t.set(func() { t.stolen = append(t.stolen, p) })
	return nil
}

func (t thief) Prompted(context.Context, question.SessionID, question.MessageID) (bool, error) {
	return true, nil
}

func linkOf(process, token string) question.Origin {
	return question.Origin{Way: question.Link, Process: process, Directory: "/src/shop", Token: token}
}

// Whatever another OpenCode says of a session that works, no turn is ended, told or shown
// by it, and no prompt goes there.
func TestAnotherOpenCodeHasNoSayInASession(t *testing.T) {
	for _, c := range []struct{ home, other question.Origin }{
		{linkOf("a", "laptop"), linkOf("thief", "mallory")},
		{linkOf("a", "laptop"), linkOf("thief", "laptop")}, // of the same machine: as long as the session works
		{linkOf("a", ""), linkOf("thief", "")},
		{origin(), linkOf("thief", "mallory")},
		{origin(), linkOf("thief", "")},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			w := &world{followed: followed{seated: []question.Seat{{Chat: 1, Session: session, Origin: c.home, Title: "fix", Follow: true, Level: question.LevelAll}}}}
			inThat(t, w, func(w *world) {
				say := func(o question.Origin, kind question.EventKind) {
					w.Event(question.Event{Kind: kind, Origin: o, Session: session, Text: "stolen", Spoken: question.Spoken{Part: "x", Text: "stolen"}})
					synctest.Wait()
				}
				say(c.home, question.Opened)
				w.set(func() { w.busy, w.since = true, time.Now() })
				say(c.home, question.Worked)
				pass(3 * time.Second)
				say(c.other, question.Opened)
				for _, kind := range []question.EventKind{question.Worked, question.Spoke, question.Failed, question.Retried, question.Rested, question.Asked, question.Replied, question.Rejected} {
					say(c.other, kind)
				}
				w.set(func() {
					w.asks = []question.Thread{{Request: question.Request{Session: session}, Place: question.Place{Root: session}, Origins: []question.Origin{linkOf("thief", "mallory")}}}
				})
				pass(5 * time.Minute)
				if kinds := w.kinds(); len(kinds) > 1 || len(kinds) == 1 && kinds[0] != question.TellBegan {
					t.Errorf("told %+v", w.told)
				}
				if got := w.now(); got.Live != question.LiveWorks || got.Turn.Text == "stolen" || got.Text == "stolen" {
					t.Errorf("it shows %+v", got)
				}
				w.say(1, "go on")
				pass(time.Minute)
				if len(w.stolen) != 0 || len(w.sent) != 1 {
					t.Errorf("%d prompts went elsewhere, %d where they belong", len(w.stolen), len(w.sent))
				}
				say(c.other, question.Closed)
				w.set(func() { w.busy, w.turn, w.asks = false, "msg_900", nil })
				say(c.home, question.Rested)
				pass(time.Minute)
				if n := len(w.told); n == 0 || w.told[n-1].Kind != question.TellTurn || w.told[n-1].Turn.Text != "done" {
					t.Errorf("told at last %+v", w.told)
				}
			})
		})
	}
}

// A session that rests, or whose OpenCode is not connected, does not go over to another
// machine.
func TestASessionStaysOnItsMachine(t *testing.T) {
	home, other := linkOf("a", "laptop"), linkOf("thief", "mallory")
	w := &world{followed: followed{seated: []question.Seat{{Chat: 1, Session: session, Origin: home, Title: "fix", Level: question.LevelAll}}}}
	inThat(t, w, func(w *world) {
		w.set(func() { w.away = true })
		for _, kind := range []question.EventKind{question.Opened, question.Worked, question.Rested} {
			w.Event(question.Event{Kind: kind, Origin: other, Session: session})
			pass(time.Minute)
		}
		w.say(1, "go on")
		pass(time.Minute)
		if len(w.stolen) != 0 {
			t.Errorf("%+v went elsewhere", w.stolen)
		}
		for _, tell := range w.told {
			if tell.Kind == question.TellBegan || tell.Kind == question.TellTurn {
				t.Errorf("told %+v", tell)
			}
		}
		w.set(func() { w.away = false })
		w.Event(question.Event{Kind: question.Opened, Origin: linkOf("restarted", "laptop")})
		pass(time.Minute)
		if len(w.stolen) != 0 || len(w.sent) != 1 {
			t.Errorf("%d prompts went elsewhere, %d where they belong", len(w.stolen), len(w.sent))
		}
	})
}

func TestWhoTellsOfASession(t *testing.T) {
	server := origin()
	for _, c := range []struct {
		name       string
		home, says question.Origin
		works      bool
		connected  bool
		want       bool
	}{
		{"itself", linkOf("a", "x"), linkOf("a", "x"), true, true, true},
		{"its machine, at work", linkOf("a", "x"), linkOf("b", "x"), true, true, false},
		{"its machine, at rest", linkOf("a", "x"), linkOf("b", "x"), false, true, true},
		{"its machine, away", linkOf("a", "x"), linkOf("b", "x"), true, false, true},
		{"another machine", linkOf("a", "x"), linkOf("b", "y"), false, true, false},
		{"another machine, away", linkOf("a", "x"), linkOf("b", "y"), false, false, false},
		{"the API's token", linkOf("a", "x"), linkOf("b", ""), false, false, false},
		{"a new token", linkOf("a", ""), linkOf("b", "x"), false, false, true},
		{"a new token, connected", linkOf("a", ""), linkOf("b", "x"), false, true, false},
		{"a server", linkOf("a", "x"), server, true, true, true},
		{"a link for a server", server, linkOf("a", "x"), false, false, false},
		{"a link of old for a server", server, linkOf("a", ""), false, true, true},
		{"a link of old for a server at work", server, linkOf("a", ""), true, true, false},
		{"another directory", linkOf("a", "x"), question.Origin{Way: question.Link, Process: "b", Directory: "/src/other", Token: "x"}, false, false, false},
		{"another server", question.Origin{Way: question.Direct, Process: "http://b", Directory: "/src/shop"}, server, true, true, true},
	} {
		d := &Desk{
			heard: heardAt(c.home, c.works), origins: map[question.Origin]bool{c.says: true},
		}
		if c.connected {
			d.origins[c.home] = true
		}
		if got := d.tells(c.says, session); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if !d.tells(c.says, "ses_unheard") {
			t.Errorf("%s: nothing is known of a session, and yet it has an owner", c.name)
		}
	}
}

// The list shows a session where it is known to be.
func TestTheListShowsNoSessionOfAnother(t *testing.T) {
	home, other := linkOf("a", "laptop"), linkOf("thief", "mallory")
	w := &world{followed: followed{seated: []question.Seat{{Chat: 1, Session: session, Origin: home, Title: "fix"}}}}
	inThat(t, w, func(w *world) {
		for _, o := range []question.Origin{home, other} {
			w.Event(question.Event{Kind: question.Opened, Origin: o})
		}
		w.command(1, "/sessions")
		pass(time.Second)
		for _, tell := range w.told {
			for _, l := range tell.Listed {
				t.Errorf("listed is %+v", l)
			}
		}
		w.command(2, "/use "+string(session))
		pass(time.Second)
		if seat := w.seat(1); seat.Origin != home {
			t.Errorf("the chat uses %+v", seat)
		}
	})
}

// heardAt has the session at a home.
func heardAt(home question.Origin, works bool) *heard {
	h := newHeard(maxHeard)
	h.put(session, home, works)
	return h
}

// One OpenCode cannot make another one's sessions forgotten.
func TestOnesSessionsDoNotDisplaceAnothers(t *testing.T) {
	h := newHeard(100)
	h.put(session, origin(), true)
	for i := range 300 {
		h.put(question.SessionID(fmt.Sprint(i)), linkOf("thief", ""), true)
	}
	if h.of(session) != origin() || !h.works(session) || len(h.at) != 100 {
		t.Errorf("%d are known", len(h.at))
	}
}

// A late answer has the words of its question, so it goes to no session of another
// OpenCode that the question named.
func TestALateAnswerGoesToNoSessionOfAnother(t *testing.T) {
	home, other := linkOf("a", "laptop"), linkOf("b", "mallory")
	d := &Desk{
		config: Config{Agents: func(question.Origin) (Agent, bool) { return nil, true }},
		heard:  heardAt(home, false), origins: map[question.Origin]bool{home: true, other: true},
	}
	for _, c := range []struct {
		origin  question.Origin
		answers question.ID
		want    int
	}{
		{home, "", 1},
		{home, "thread", 1},
		{other, "thread", 0},
	} {
		e := &errand{Errand: question.Errand{Origin: c.origin, Answers: c.answers, Prompt: question.Prompt{Session: session}}}
		if got := d.waysFor(e); len(got) != c.want {
			t.Errorf("%+v has %d ways", e.Errand, len(got))
		}
	}
}
