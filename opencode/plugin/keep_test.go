package plugin_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"hermes/opencode/link"
)

// serveOver serves a hermes whose connections report their states.
func serveOver(t *testing.T, state func(net.Conn, http.ConnState)) *hermes {
	t.Helper()
	h := newHermes()
	h.Server = httptest.NewUnstartedServer(link.Access{API: token}.GuardLinks(h.hub))
	h.Config.ConnState = state
	h.Start()
	t.Cleanup(h.Server.Close)
	t.Cleanup(h.hub.Close)
	return h
}

// Requests to hermes share connections: one for the poll, and one for what is told beside it. On a
// busy machine some come before another's connection is free again.
func TestLink_ConnectionsAreKept(t *testing.T) {
	var made atomic.Int64
	h := serveOver(t, func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			made.Add(1)
		}
	})
	a := startAgent(t, h.URL)
	a.do("init")
	l := receive(t, h.opened)
	for range 20 {
		if status, _, err := roundTrip(t, l, http.MethodGet, "/question", nil); status != http.StatusOK {
			t.Fatalf("a call gave %d %v", status, err)
		}
	}
	if n := made.Load(); n > 10 { // without that it is 40
		t.Errorf("20 calls took %d connections", n)
	}
	a.exits()
}

// hermes may close a connection whenever no request is on it. Nothing is lost with that, and the link stays.
func TestLink_KeptConnectionsAreClosed(t *testing.T) {
	h := serveOver(t, func(c net.Conn, s http.ConnState) {
		if s == http.StateIdle {
			_ = c.Close()
		}
	})
	a := startAgent(t, h.URL)
	a.do("init")
	l := receive(t, h.opened)
	for n := range 20 {
		a.event("session.idle", map[string]any{"sessionID": "ses_1"})
		if status, _, err := roundTrip(t, l, http.MethodGet, "/question", nil); status != http.StatusOK {
			t.Fatalf("call %d gave %d %v", n, status, err)
		}
	}
	for range 20 {
		receive(t, h.events)
	}
	if l.Reason() != link.Open {
		t.Errorf("the link is %v", l.Reason())
	}
	a.exits()
}

// requestsOf is the key of how many requests came over a connection.
type requestsOf struct{}

// hermes may close a kept connection in the moment in which it is used again: what was told is told once more, whether or not the
// runtime says that the connection was kept.
func TestLink_AConnectionIsClosedWhileItIsUsedAgain(t *testing.T) {
	for _, env := range [][]string{nil, {"LIKE_BUN=1"}} {
		var closed atomic.Bool
		h := newHermes()
		guarded := link.Access{API: token}.GuardLinks(h.hub)
		h.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n := r.Context().Value(requestsOf{}).(*atomic.Int64).Add(1)
			if n > 1 && strings.HasSuffix(r.URL.Path, "/events") && !closed.Swap(true) {
				panic(http.ErrAbortHandler)
			}
			guarded.ServeHTTP(w, r)
		}))
		h.Config.ConnContext = func(ctx context.Context, _ net.Conn) context.Context {
			return context.WithValue(ctx, requestsOf{}, new(atomic.Int64))
		}
		h.Start()
		t.Cleanup(h.Server.Close)
		t.Cleanup(h.hub.Close)
		a := startAgent(t, h.URL, env...)
		a.do("init")
		l := receive(t, h.opened)
		for !closed.Load() {
			a.event("session.idle", map[string]any{"sessionID": "ses_1"})
			receive(t, h.events)
		}
		if l.Reason() != link.Open {
			t.Errorf("with %v, the link is %v", env, l.Reason())
		}
		a.exits()
	}
}
