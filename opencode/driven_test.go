package opencode

import (
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/session"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/call"
	"hermes/opencode/link"
	v1 "hermes/opencode/v1"
)

// A plugin that is old, or was told that nobody drives, refuses: that is no failure
// that passes.
func TestDriving_NotDriven(t *testing.T) {
	s := opencodesim.New(opencodesim.Options{})
	ses := session.ID(s.NewSession(proj, "Paint"))
	c := clientOf(s)
	c.Endpoint.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		switch r.URL.Path {
		case "/session/" + string(ses), "/session/status", "/session/" + string(ses) + "/message":
			return s.Transport().RoundTrip(r)
		}
		return nil, &link.CallError{Refused: true, Err: errors.New("the hermes plugin does not allow this call")}
	})
	for name, ask := range map[string]func() error{
		"sessions": func() error { _, err := c.Sessions(t.Context(), 1); return err },
		"create":   func() error { _, err := c.line.(*v1.Driver).Create(t.Context(), ""); return err },
		"abort":    func() error { return c.Abort(t.Context(), ses) },
		"turn":     func() error { _, err := c.Turn(t.Context(), ses); return err },
		"agents":   func() error { _, err := c.Agents(t.Context()); return err },
		"models":   func() error { _, err := c.Models(t.Context()); return err },
		"commands": func() error { _, err := c.Commands(t.Context()); return err },
	} {
		err := ask()
		var e *call.Error
		if !errors.Is(err, session.ErrNotDriven) || !errors.As(err, &e) || e.Temporary() {
			t.Errorf("%s gave %v", name, err)
		}
	}
	// What the question path asks is not said to be driving.
	if _, err := c.Questions(t.Context()); errors.Is(err, session.ErrNotDriven) || err == nil {
		t.Errorf("questions gave %v", err)
	}
}

// A session is driven over a link as it is directly, and tells what it does by both.
func TestDriving_DrivenByBothWays(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		w := watchServer(t, s)
		p := plug(t, w, s, helloFrom("p1", shop))
		wait(0)
		if got := w.Origins(); len(got) != 2 || got[1] != linkOrigin("p1", shop) {
			t.Fatalf("the origins are %+v", got)
		}
		for _, o := range w.Origins() {
			c, _ := w.Agent(o)
			made, err := c.line.(*v1.Driver).Create(t.Context(), "")
			if err != nil || made.Directory != o.Directory {
				t.Fatalf("made %+v, %v", made, err)
			}
			w.take()
			id, err := c.NextID(t.Context(), made.ID)
			if err != nil {
				t.Fatal(err)
			}
			hello := session.Prompt{ID: id, Session: made.ID, Parts: []session.Part{{Text: "hello"}}}
			if err := c.Prompt(t.Context(), hello); err != nil {
				t.Fatal(err)
			}
			if o.Way == session.Link {
				p.tell("session.status", `{"sessionID":"`+string(made.ID)+`","status":{"type":"busy"}}`)
				p.tell("session.idle", `{"sessionID":"`+string(made.ID)+`"}`)
			}
			wait(time.Second)
			told := map[event.Kind]bool{}
			for _, e := range w.take(event.Worked, event.Rested) {
				told[e.Kind] = told[e.Kind] || e.Session == made.ID && e.Origin == o
			}
			if !told[event.Worked] || !told[event.Rested] {
				t.Errorf("by %s it was told %v", o.Way, told)
			}
			if turn, err := c.Turn(t.Context(), made.ID); turn.Text != "You said: hello" || err != nil {
				t.Errorf("by %s the turn is %+v, %v", o.Way, turn, err)
			}
		}
	})
}

func TestDriving_Ahead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now().UnixMilli()
		for by, want := range map[time.Duration]time.Duration{
			time.Second: 0, -time.Second: 0, time.Hour: time.Hour, -time.Minute: -time.Minute,
		} {
			if got := clockAhead(link.Hello{Time: now + by.Milliseconds()}); got != want {
				t.Errorf("a clock that is off by %v is ahead by %v", by, got)
			}
		}
		if got := clockAhead(link.Hello{}); got != 0 {
			t.Errorf("an unknown clock is ahead by %v", got)
		}
	})
}
