package opencode

import (
	"strings"
	"testing"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/simulate/opencodesim"
)

// linkedAsk plugs in a plugin that makes sure of asks itself, and gives a question that waits
// behind it.
func linkedAsk(t *testing.T, w *watched, s *opencodesim.Simulator, unsure bool) (*plugin, *Client, question.Request) {
	t.Helper()
	s.Ask(shop, s.NewSession(shop, "Paint the house"), colour)
	hello := helloFrom("p1", shop)
	hello.Looks = true
	p := plug(t, w, s, hello)
	p.unsure.Store(unsure)
	wait(0)
	opened := w.take(event.Opened)
	if len(opened) == 0 || len(opened[0].Asks) != 1 {
		t.Fatalf("told %+v", opened)
	}
	c, ok := w.Agent(opened[0].Origin)
	if !ok {
		t.Fatal("it cannot be reached")
	}
	p.carried() // what was looked up before
	return p, c, opened[0].Asks[0].Request
}

func replies(calls []carried) (n int) {
	for _, c := range calls {
		if strings.HasSuffix(c.Path, "/reply") {
			n++
		}
	}
	return n
}

// The plugin looks and replies in one call.
func TestReady_ThePluginLooks(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		w := watch(t, Config{})
		p, c, r := linkedAsk(t, w, s, false)
		if f, err := c.Ready(t.Context(), r); err != nil || f.Kind != event.FoundOpen {
			t.Errorf("found %q %v", f.Kind, err)
		}
		if err := c.Reply(t.Context(), r, question.Answers{{"Red"}}); err != nil {
			t.Fatal(err)
		}
		calls := p.carried()
		if len(calls) != 1 || calls[0].Waits == nil || calls[0].Waits.Request != string(r.ID) || calls[0].Waits.Message != string(r.Message) {
			t.Errorf("the plugin was given %+v, want one reply that depends on the ask", calls)
		}
	})
}

// Where the plugin is not certain, hermes looks, and then it decides.
func TestReady_ThePluginIsNotCertain(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		w := watch(t, Config{})
		_, c, r := linkedAsk(t, w, s, true)
		if err := c.Reply(t.Context(), r, question.Answers{{"Red"}}); err != nil {
			t.Fatal(err)
		}
		if f, err := c.Ready(t.Context(), r); err != nil || f.Kind != event.FoundAnswered {
			t.Errorf("found %q %v", f.Kind, err)
		}
	})
}

// To a turn that was stopped nothing is sent; the next try says what became of it.
func TestReady_ThePluginIsNotCertainAndTheTurnWasStopped(t *testing.T) {
	for name, send := range map[string]func(*testing.T, *Client, question.Request) error{
		"reply": func(t *testing.T, c *Client, r question.Request) error {
			return c.Reply(t.Context(), r, question.Answers{{"Red"}})
		},
		"reject": func(t *testing.T, c *Client, r question.Request) error { return c.Reject(t.Context(), r, "") },
	} {
		t.Run(name, func(t *testing.T) {
			bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
				w := watch(t, Config{})
				_, c, r := linkedAsk(t, w, s, true)
				abort(s, r)
				if err := send(t, c, r); err == nil {
					t.Error("it was sent")
				}
				if n := s.Attempts(string(r.ID)); n != 0 {
					t.Errorf("OpenCode got %d", n)
				}
				if f, err := c.Ready(t.Context(), r); err != nil || f.Kind != event.FoundStopped {
					t.Errorf("found %q %v", f.Kind, err)
				}
			})
		})
	}
}

// A plugin from before 1.5.0 is spoken to as ever: a look, and then a reply that depends on
// nothing.
func TestReady_AnOlderPluginIsLookedThrough(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		w := watch(t, Config{})
		s.Ask(shop, s.NewSession(shop, "Paint the house"), colour)
		p := plug(t, w, s, helloFrom("p1", shop))
		wait(0)
		opened := w.take(event.Opened)
		c, _ := w.Agent(opened[0].Origin)
		r := opened[0].Asks[0].Request
		p.carried()
		f, err := c.Ready(t.Context(), r)
		if looked := len(p.carried()); err != nil || f.Kind != event.FoundOpen || looked == 0 {
			t.Errorf("found %q %v with %d calls", f.Kind, err, looked)
		}
		if err := c.Reply(t.Context(), r, question.Answers{{"Red"}}); err != nil {
			t.Fatal(err)
		}
		if calls := p.carried(); replies(calls) != 1 || calls[0].Waits != nil {
			t.Errorf("the plugin was given %+v", calls)
		}
	})
}
