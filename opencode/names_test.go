package opencode

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/session"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/call"
)

// place is where hermes says that the last question comes from.
func (w *watched) place(t *testing.T, kind event.Kind) session.Place {
	t.Helper()
	events := w.take(kind)
	if len(events) == 0 || len(events[len(events)-1].Asks) != 1 {
		t.Fatalf("told %+v, want one ask", events)
	}
	return events[len(events)-1].Asks[0].Place
}

// A subagent's subagent is named by its own task, and by the session that a
// person began.
func TestNames_PlaceOfASubagent(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		root := s.NewSession(proj, "Paint the house")
		s.Ask(proj, s.Task(proj, s.Task(proj, root, "asker", "the walls"), "asker", "a colour"), colour)
		w := watchServer(t, s)
		want := session.Place{Title: "Paint the house", Subagent: "sub task (@asker subagent)", Root: session.ID(root)}
		if got := w.place(t, event.Opened); got != want {
			t.Errorf("opened from %+v, want %+v", got, want)
		}
	})
}

// OpenCode's own first title says nothing; the real one comes later.
func TestNames_PlaceIsNamedLater(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		w := watchServer(t, s)
		r := ask(t, s, "", colour)
		wait(time.Second)
		if got := w.place(t, event.Asked); got != (session.Place{Root: r.Session}) {
			t.Errorf("asked from %+v", got)
		}
		s.Rename(string(r.Session), "Paint the house")
		wait(0)
		if got := w.place(t, event.Named); got != (session.Place{Title: "Paint the house", Root: r.Session}) {
			t.Errorf("named %+v", got)
		}
	})
}

// A question without a name is better than one that comes late.
func TestNames_PlaceIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opencodesim.New(opencodesim.Options{})
		s.SetFault(func(*http.Request) opencodesim.Fault { return opencodesim.Hang })
		began := time.Now()
		got := new(sessionNames).placeOf(t.Context(), clientOf(s), "ses_1")
		if took := time.Since(began); got != (session.Place{}) || took != placeTimeout {
			t.Errorf("%+v after %v", got, took)
		}
	})
}

// Sessions that call one another their parent end somewhere.
func TestNames_PlaceInACircle(t *testing.T) {
	var p sessionNames
	p.put(session.Session{ID: "ses_1", Parent: "ses_2", Title: "One"})
	p.put(session.Session{ID: "ses_2", Parent: "ses_1", Title: "Two"})
	p.put(session.Session{Title: "without an id"})
	if got := p.placeOf(t.Context(), NewClient(call.Endpoint{Transport: nobody}, "", 0), "ses_1"); got.Root == "" {
		t.Errorf("%+v", got)
	}
}
