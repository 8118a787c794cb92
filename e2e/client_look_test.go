//go:build e2e

package e2e_test

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"hermes/e2e/lab"
	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode"
)

// TestClient_Look holds, with real OpenCodes by both ways, what docs/design/proof.md builds on: whatever
// ends a wait, a look finds within moments, though the ask may stay listed. So no answer is sent any more.
func TestClient_Look(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		t.Run("link", func(t *testing.T) {
			t.Parallel()
			w := &waiter{asked: make(chan question.Request, 16)}
			w.driven, _ = linkThrough(t, version, lab.Serve, lab.Options{Password: "secret"}, w.hear, func(next http.Handler) http.Handler { return next })
			w.playAll()
		})
		t.Run("direct", func(t *testing.T) {
			t.Parallel()
			w := &waiter{asked: make(chan question.Request, 16)}
			w.driven = serverWith(t, version, nil)
			w.connect()
			w.playAll()
		})
	})
}

// waiter is an OpenCode that asks.
type waiter struct {
	*driven
	asked chan question.Request
}

func (w *waiter) hear(e event.Event) {
	for _, a := range e.Asks {
		if e.Kind == event.Asked {
			w.asked <- a.Request
		}
	}
}

// connect reaches the server.
func (w *waiter) connect() {
	g := opencode.NewGateway(opencode.Config{
		Events: w.hear, Log: slog.New(slog.DiscardHandler),
		Servers: []opencode.Server{{URL: w.URL, Username: "opencode", Password: "secret", Transport: http.DefaultTransport}},
	})
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { g.Run(ctx); close(done) }()
	w.t.Cleanup(func() { stop(); <-done })
	w.Eventually("the project can be reached", func() bool {
		var ok bool
		w.Client, ok = g.Reach(session.Origin{Way: session.Direct, Process: w.URL, Directory: w.Dir})
		return ok
	})
}

func (w *waiter) playAll() {
	w.ended("stopped", "", func(id string) { w.post("/session/" + id + "/abort") })
	w.ended("the parent of a subagent is stopped", "TASK "+lab.Agent+" ", func(id string) { w.post("/session/" + id + "/abort") })
	w.ended("deleted", "", func(id string) { w.Call(http.MethodDelete, "/session/"+id, nil) })
	w.ended("the instance is put away", "", func(string) { w.post("/instance/dispose") })
}

func (w *waiter) post(path string) {
	w.t.Helper()
	if status, raw := w.Call(http.MethodPost, path, nil); status != http.StatusOK {
		w.t.Fatalf("POST %s: %d %s", path, status, raw)
	}
}

// ended ends a wait in some way. From then on, but for moments, no answer is sent.
func (w *waiter) ended(how, before string, end func(session string)) {
	w.t.Helper()
	parent := w.NewSession(how)
	w.Prompt(parent, before+call(database("Which database: "+how+"?")))
	var r question.Request
	select {
	case r = <-w.asked:
	case <-time.After(patience):
		w.t.Fatalf("%s: hermes does not hear that OpenCode asks", how)
	}
	if r.Agent == "" {
		w.t.Errorf("%s: it is not known who asks", how)
	}
	w.Eventually("the call runs", func() bool { return w.callRuns(r) })
	if !w.waits(r) {
		w.t.Fatalf("%s: before that, no answer is sent", how)
	}
	end(parent)
	w.Eventually("no answer is sent any more", func() bool { return !w.waits(r) })
}

// callRuns reports whether OpenCode has told all that it tells of a question that waits.
func (w *waiter) callRuns(r question.Request) bool {
	_, raw := w.Call(http.MethodGet, "/session/"+string(r.Session)+"/message/"+string(r.Message), nil)
	return strings.Contains(string(raw), `"status":"running"`)
}

// waits reports whether a look finds that an answer would still reach the agent.
func (w *waiter) waits(r question.Request) bool {
	w.t.Helper()
	f, err := w.Look(w.t.Context(), r)
	return err == nil && f.Kind == event.FoundOpen
}
