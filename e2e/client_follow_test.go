//go:build e2e

package e2e_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"hermes/internal/event"
	"hermes/internal/session"
	"hermes/internal/testlevel"
	"hermes/opencode"
)

// TestClient_Follow shows that what a session says and does comes while it does it, from real
// OpenCodes over both ways, of the followed session alone, and over the plugin at a pace
// that a chat can bear.
func TestClient_Follow(t *testing.T) {
	testlevel.FullOnly(t)
	eachVersion(t, func(t *testing.T, version string) {
		t.Run("link", func(t *testing.T) {
			t.Parallel()
			var h heard
			d, g := linkHeard(t, version, runs, h.add)
			h.followAll(d, g)
			if most := int(time.Since(h.since)/time.Second) + 6; h.words > most {
				t.Errorf("a text was told %d times", h.words)
			}
		})
		t.Run("direct", func(t *testing.T) {
			t.Parallel()
			var h heard
			d := serverWith(t, version, runs)
			g := opencode.NewGateway(opencode.Config{
				Events: h.add, Log: slog.New(slog.DiscardHandler),
				Servers: []opencode.Server{{URL: d.URL, Username: "opencode", Password: "secret", Transport: http.DefaultTransport}},
			})
			ctx, stop := context.WithCancel(context.Background())
			done := make(chan struct{})
			go func() { g.Run(ctx); close(done) }()
			t.Cleanup(func() { stop(); <-done })
			d.Eventually("the server is connected", func() bool { _, direct := g.Ways(); return direct == 1 })
			h.followAll(d, g)
		})
	})
}

// runs lets the agent run commands.
func runs(config map[string]any) { config["permission"].(map[string]any)["bash"] = "allow" }

// heard is what is told of followed sessions.
type heard struct {
	since time.Time

	mu    sync.Mutex
	steps []event.Event
	words int // of the events: those with a text
}

func (h *heard) add(e event.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e.Kind == event.Spoke {
		h.steps = append(h.steps, e)
		if e.Spoken.Text != "" {
			h.words++
		}
	}
}

// has reports whether a step of that kind was told.
func (h *heard) has(is func(session.StreamChunk) bool) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range h.steps {
		if is(e.Spoken) {
			return true
		}
	}
	return false
}

func (h *heard) followAll(d *driven, g *opencode.Gateway) {
	d.t.Helper()
	h.since = time.Now()
	followed, other := h.session(d), h.session(d)
	g.Follow([]session.ID{followed})
	// Over a link the list is there when a call has come behind it.
	for range 2 {
		if _, err := d.drive.Session(d.t.Context(), followed); err != nil {
			d.t.Fatal(err)
		}
	}
	d.say(session.Prompt{Session: other, Parts: texts("nobody follows this")})
	d.answered(other, "nobody follows this")
	var long strings.Builder
	for n := range 600 {
		fmt.Fprintf(&long, "line %d\n", n)
	}
	d.say(session.Prompt{Session: followed, Parts: texts(long.String() + "the end")})
	d.answered(followed, "the end")
	d.Eventually("the end of the words is told", func() bool {
		return h.has(func(s session.StreamChunk) bool {
			return strings.HasPrefix(s.Text, "…") && strings.HasSuffix(s.Text, "the end")
		})
	})
	d.say(session.Prompt{Session: followed, Parts: texts(`CALL bash {"command":"echo one; sleep 2","description":"says one"}`)})
	d.Eventually("the tool is told", func() bool {
		return h.has(func(s session.StreamChunk) bool { return s.Tool != "" && s.Title == "echo one; sleep 2" && !s.Ended })
	})
	d.Eventually("the end of the tool is told", func() bool { return h.has(func(s session.StreamChunk) bool { return s.Tool == "bash" && s.Ended }) })
	for _, e := range h.steps {
		if e.Session != followed || len(e.Spoken.Text) > session.MaxStreamChunk || strings.HasPrefix(e.Spoken.Text, "line 0") {
			d.t.Errorf("told of %s: %.60q", e.Session, e.Spoken.Text)
		}
	}
}

func (h *heard) session(d *driven) session.ID {
	d.t.Helper()
	s, err := d.drive.Create(d.t.Context(), "Followed")
	if err != nil {
		d.t.Fatal(err)
	}
	return s.ID
}
