//go:build e2e

package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hermes/e2e/lab"
	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode"
	"hermes/opencode/link"
)

// TestClient_Ready holds, with real OpenCodes by both ways, what docs/design/proof.md builds
// on: an answer to a question that nobody touched is one call; and whatever ends a wait is
// told within moments, though the ask stays listed, so that no answer is sent any more.
func TestClient_Ready(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		t.Run("link", func(t *testing.T) {
			t.Parallel()
			w := &waiter{linked: true, asked: make(chan question.Request, 16)}
			w.driven, _ = linkThrough(t, version, lab.Serve, lab.Options{Password: "secret"}, w.hear, func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
					if strings.HasSuffix(r.URL.Path, "/results") {
						w.calls.Add(1)
					}
					next.ServeHTTP(rw, r)
				})
			})
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

// waiter is an OpenCode that asks, and how often hermes calls it.
type waiter struct {
	*driven
	linked bool
	asked  chan question.Request
	calls  atomic.Int64
	lists  atomic.Int64 // of them, listings of questions
}

func (w *waiter) hear(e event.Event) {
	for _, a := range e.Asks {
		if e.Kind == event.Asked {
			w.asked <- a.Request
		}
	}
}

// RoundTrip counts what is asked of a server.
func (w *waiter) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path == "/question" {
		w.lists.Add(1)
	}
	w.calls.Add(1)
	return http.DefaultTransport.RoundTrip(r)
}

// connect reaches the server, and returns when its event stream proves something.
func (w *waiter) connect() {
	g := opencode.NewGateway(opencode.Config{
		Events: w.hear, Log: slog.New(slog.DiscardHandler),
		Servers: []opencode.Server{{URL: w.URL, Username: "opencode", Password: "secret", Transport: w}},
	})
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { g.Run(ctx); close(done) }()
	w.t.Cleanup(func() { stop(); <-done })
	w.Eventually("the server is listed a second after connecting", func() bool { return w.lists.Load() >= 2 })
	w.Eventually("the project can be reached", func() bool {
		var ok bool
		w.Client, ok = g.Reach(session.Origin{Way: session.Direct, Process: w.URL, Directory: w.Dir})
		return ok
	})
}

func (w *waiter) playAll() {
	w.untouched()
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

// ask asks in a new session, and returns what hermes hears.
func (w *waiter) ask(title, before string) (parent string, r question.Request) {
	w.t.Helper()
	parent = w.NewSession(title)
	w.Prompt(parent, before+call(database("Which database: "+title+"?")))
	select {
	case r = <-w.asked:
	case <-time.After(patience):
		w.t.Fatalf("%s: hermes does not hear that OpenCode asks", title)
	}
	return parent, r
}

// untouched answers questions that wait, by one call, unless hermes happens to list what
// waits beside it.
func (w *waiter) untouched() {
	w.t.Helper()
	fewest := int64(math.MaxInt64)
	for n := range 3 {
		_, r := w.ask(fmt.Sprintf("untouched %d", n), "")
		w.Eventually("the call runs", func() bool { return w.callRuns(r) })
		w.Eventually("nothing is asked of OpenCode before an answer", func() bool { return w.readyUnasked(r) })
		before := w.calls.Load()
		if err := w.Reply(w.t.Context(), r, question.Answers{{"SQLite"}}); err != nil {
			w.t.Fatal(err)
		}
		if r.Agent == "" {
			w.t.Error("nobody heard who asks")
		}
		w.AwaitResult("question", r.Items[0].Text)
		w.Eventually("the call is counted", func() bool { return w.calls.Load() > before })
		fewest = min(fewest, w.calls.Load()-before)
	}
	if fewest != 1 {
		w.t.Errorf("an answer took %d calls, want the reply alone", fewest)
	}
}

// readyUnasked reports whether it is certain without a call that the ask waits. While
// something is being told, a look is needed.
func (w *waiter) readyUnasked(r question.Request) bool {
	w.t.Helper()
	before := w.calls.Load()
	f, err := w.Ready(w.t.Context(), r)
	if err != nil || f.Kind != event.FoundOpen {
		w.t.Fatalf("a question that waits is %v %v", f.Kind, err)
	}
	return w.calls.Load() == before
}

// callRuns reports whether OpenCode has told all that it tells of a question that waits.
func (w *waiter) callRuns(r question.Request) bool {
	_, raw := w.Call(http.MethodGet, "/session/"+string(r.Session)+"/message/"+string(r.Message), nil)
	return strings.Contains(string(raw), `"status":"running"`)
}

// ended ends a wait in some way. From then on, but for moments, no answer is sent.
func (w *waiter) ended(how, before string, end func(session string)) {
	w.t.Helper()
	parent, r := w.ask(how, before)
	w.Eventually("the call runs", func() bool { return w.callRuns(r) })
	if !w.sends(r) {
		w.t.Fatalf("%s: before that, no answer is sent", how)
	}
	end(parent)
	began := time.Now()
	w.Eventually("no answer is sent any more", func() bool { return !w.sends(r) })
	w.t.Logf("%s: an answer is not sent any more %v after that", how, time.Since(began).Round(time.Millisecond))
}

// sends reports whether an answer would be sent now. Over a link the plugin decides that: it
// is given another call, which depends on the ask in the same way.
func (w *waiter) sends(r question.Request) bool {
	w.t.Helper()
	if !w.linked {
		f, err := w.Ready(w.t.Context(), r)
		return err == nil && f.Kind == event.FoundOpen
	}
	ask := link.Ask{Request: string(r.ID), Session: string(r.Session), Message: string(r.Message)}
	var health map[string]any
	err := w.Endpoint.Get(link.IfWaits(w.t.Context(), ask), "health", "/global/health", nil, &health)
	var unsure *link.CallError
	if err != nil && !errors.As(err, &unsure) {
		w.t.Fatal(err)
	}
	return err == nil
}
