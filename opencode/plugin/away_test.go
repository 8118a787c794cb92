package plugin_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hermes/internal/testlevel"
	"hermes/opencode/link"
)

func newServer(t *testing.T, serve http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(serve)
	t.Cleanup(s.Close)
	return s
}

// Whatever hermes does, the agent's hooks return at once (agent.do holds them to a quarter of a second) and its process ends by itself.
func TestAway_TheAgentWorksOnWithoutHermes(t *testing.T) {
	elsewhere := newServer(t, func(http.ResponseWriter, *http.Request) { t.Error("the plugin followed a redirect") })
	t.Parallel()
	for name, serve := range map[string]http.HandlerFunc{
		"hangs":    func(_ http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body); <-r.Context().Done() },
		"error":    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
		"not JSON": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) },
		"null":     func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("null")) },
		"odd link": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"link":"../../x","poll":1e9}`)) },
		"garbage calls": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"link":"x","calls":[null,5,{}]}`))
		},
		"closes": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"redirects": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		},
		"endless": func(w http.ResponseWriter, r *http.Request) {
			for block := make([]byte, 1<<16); ; {
				if _, err := w.Write(block); err != nil || r.Context().Err() != nil {
					return
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			reached := make(chan bool, 1000)
			s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
				reached <- true
				serve(w, r)
			})
			a := startAgent(t, s.URL)
			a.do("init")
			receive(t, reached)
			for range 600 { // more than the plugin keeps
				a.event("question.asked", map[string]any{"id": "que_1"})
			}
			a.exits()
		})
	}
}

// A hermes that answers polls at once with nothing must not make the plugin spin.
func TestAway_EmptyAnswersDoNotMakeThePluginSpin(t *testing.T) {
	polls := make(chan time.Time, 1000)
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "GET" {
			polls <- time.Now()
		}
		_, _ = w.Write([]byte(`{"link":"x","poll":25,"calls":[]}`))
	})
	a := startAgent(t, s.URL)
	a.do("init")
	if first, second := receive(t, polls), receive(t, polls); second.Sub(first) < 900*time.Millisecond {
		t.Errorf("the plugin polled again after %v", second.Sub(first))
	}
	a.exits()
}

func TestAway_HermesThatComesLaterIsFound(t *testing.T) {
	h := newHermes()
	t.Parallel()
	t.Cleanup(h.hub.Close)
	tried := make(chan bool, 1000)
	var there atomic.Bool
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		if !there.Load() {
			tried <- true
			panic(http.ErrAbortHandler)
		}
		link.Access{API: token}.GuardLinks(h.hub).ServeHTTP(w, r)
	})
	a := startAgent(t, s.URL)
	a.do("list", "/question", []any{map[string]any{"id": "que_1"}})
	a.do("init")
	receive(t, tried)
	a.event("question.asked", map[string]any{"id": "que_1"})
	a.event("question.replied", map[string]any{"requestID": "que_0"})
	receive(t, tried) // this attempt may have listed before the events
	there.Store(true)
	if got := listed(t, receive(t, h.opened), "/question"); got != `[{"id":"que_1"}]` {
		t.Errorf("the plugin listed %s", got)
	}
	// What the listing says is not told again; what it cannot say is.
	if got, want := receive(t, h.events), `{"type":"question.replied","properties":{"requestID":"que_0"}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	a.exits()
}

// However often hermes was restarted, a link that stood for a while is opened anew soon.
func TestAway_ManyRestartsOfHermes(t *testing.T) {
	t.Parallel()
	var now atomic.Pointer[hermes]
	h := newHermes()
	now.Store(h)
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		link.Access{API: token}.GuardLinks(now.Load().hub).ServeHTTP(w, r)
	})
	a := startAgent(t, s.URL)
	a.do("init")
	receive(t, h.opened)
	for n := range testlevel.Choose(2, 4) {
		<-time.After(2200 * time.Millisecond) // the link stands for longer than any wait before it was
		next, ended := newHermes(), time.Now()
		now.Store(next)
		h.hub.Close()
		receive(t, next.opened)
		if took := time.Since(ended); took > 4*time.Second {
			t.Errorf("restart %d: the link came after %v", n, took)
		}
		h = next
	}
	h.hub.Close()
	a.exits()
}

// The answer to a poll gets lost; the next poll of the same link brings the call, once.
func TestAway_ACallWhoseHandingOutIsLostArrivesOnce(t *testing.T) {
	h := newHermes()
	t.Cleanup(h.hub.Close)
	var lost atomic.Bool
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != "GET" || !lost.CompareAndSwap(false, true) {
			link.Access{API: token}.GuardLinks(h.hub).ServeHTTP(w, r)
			return
		}
		link.Access{API: token}.GuardLinks(h.hub).ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	})
	a := startAgent(t, s.URL)
	a.do("init")
	l := receive(t, h.opened)
	if status, _, err := roundTrip(t, l, "POST", "/question/que_1/reply", strings.NewReader(`{"answers":[]}`)); status != 200 {
		t.Errorf("the call gave %d %v", status, err)
	}
	replies := 0
	for _, asked := range a.requests() {
		if asked.URL == "/question/que_1/reply" {
			replies++
		}
	}
	if replies != 1 || !lost.Load() {
		t.Errorf("OpenCode was given the reply %d times", replies)
	}
	a.exits()
}
