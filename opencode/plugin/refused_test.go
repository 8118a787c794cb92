package plugin_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hermes/opencode/link"
)

// refusing answers each hello as it is told to, and counts them.
type refusing struct {
	*httptest.Server
	status atomic.Int64
	body   string
	hellos atomic.Int64
}

func startRefusing(t *testing.T, status int, body string) *refusing {
	r := &refusing{body: body}
	r.status.Store(int64(status))
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		switch status := int(r.status.Load()); {
		case status != http.StatusOK:
			r.hellos.Add(1)
			w.WriteHeader(status)
			fmt.Fprint(w, r.body)
		case req.URL.Path == "/v1/link":
			r.hellos.Add(1)
			fmt.Fprint(w, `{"link":"l1","poll":1}`)
		default: // a poll: the link is lost at once
			w.WriteHeader(http.StatusGone)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

// awaitHellos waits for so many more.
func (r *refusing) awaitHellos(t *testing.T, more int64) {
	t.Helper()
	want := r.hellos.Load() + more
	for deadline := time.Now().Add(2 * patience); r.hellos.Load() < want; {
		if time.Now().After(deadline) {
			t.Fatalf("%d hellos of %d", r.hellos.Load(), want)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// told is what the plugin said at a path of OpenCode's, in order.
func (a *agent) told(path string) (list []string) {
	a.t.Helper()
	for _, q := range a.requests() {
		if q.URL == path {
			list = append(list, string(q.Body))
		}
	}
	return list
}

// awaitTold waits until the plugin has said so much.
func (a *agent) awaitTold(want int) (logged, shown []string) {
	a.t.Helper()
	for deadline := time.Now().Add(patience); len(shown) < want && time.Now().Before(deadline); {
		time.Sleep(50 * time.Millisecond)
		logged, shown = a.told("/log"), a.told("/tui/show-toast")
	}
	return logged, shown
}

// A plugin that is refused says so once, in OpenCode's log and on its screen, with what helps; what may pass by itself it keeps to itself.
func TestRefused_IsSaidOnce(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		want   string // empty: nothing
	}{
		"a token that is revoked or wrong": {401, `{"error":"x"}`, "the token is wrong"},
		"a token of another kind":          {403, `{"error":"x"}`, "the token is wrong"},
		"a hermes two numbers on":          {426, fmt.Sprintf(`{"error":"x","protocol":%d,"oldest":%d}`, link.Protocol+2, link.Protocol+1), "Update hermes on this machine"},
		"an older hermes":                  {426, fmt.Sprintf(`{"error":"x","protocol":%d}`, link.Protocol-1), "Whoever runs hermes has to update it"},
		"a hermes without a number":        {426, `not JSON`, "Whoever runs hermes has to update it"},
		"a hermes that is full":            {503, `{"error":"x"}`, ""},
		"too much":                         {429, `{"error":"x"}`, ""},
		"something else at the address":    {404, `<html>`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := startRefusing(t, c.status, c.body)
			a := startAgent(t, r.URL)
			a.do("init")
			want := 1
			if c.want == "" {
				want = 0
			} else {
				a.awaitTold(1)
			}
			r.awaitHellos(t, 2)
			logged, shown := a.told("/log"), a.told("/tui/show-toast")
			if len(logged) != want || len(shown) != want {
				t.Fatalf("in the log: %q; on the screen: %q", logged, shown)
			}
			if want == 1 && (!strings.Contains(shown[0], c.want) || !strings.Contains(logged[0], c.want) || !strings.Contains(shown[0], `"variant":"warning"`) || !strings.Contains(logged[0], `"level":"warn"`)) {
				t.Errorf("in the log: %q; on the screen: %q", logged, shown)
			}
			a.exits()
		})
	}
}

// When hermes took the link in between, a refusal is said again: the link was revoked.
func TestRefused_IsSaidAgainAfterALink(t *testing.T) {
	r := startRefusing(t, 401, `{}`)
	a := startAgent(t, r.URL)
	a.do("init")
	a.awaitTold(1)
	r.status.Store(http.StatusOK)
	r.awaitHellos(t, 1)
	r.status.Store(http.StatusUnauthorized)
	if _, shown := a.awaitTold(2); len(shown) != 2 {
		t.Errorf("on the screen: %q", shown)
	}
	a.exits()
}

// A terminal that still starts shows no toast, though OpenCode says that it does: when the agent works next, it is shown once more.
func TestRefused_IsShownAgainWhenTheAgentWorks(t *testing.T) {
	r := startRefusing(t, 401, `{}`)
	a := startAgent(t, r.URL)
	a.do("init")
	status := func(kind string) {
		a.event("session.status", map[string]any{"sessionID": "ses_1", "status": map[string]any{"type": kind}})
	}
	status("busy") // nothing is known yet
	a.awaitTold(1)
	status("idle")
	r.awaitHellos(t, 1)
	if _, shown := a.awaitTold(1); len(shown) != 1 {
		t.Errorf("on the screen without work: %q", shown)
	}
	status("busy")
	status("busy")
	a.awaitTold(2)
	r.awaitHellos(t, 1)
	if logged, shown := a.told("/log"), a.told("/tui/show-toast"); len(logged) != 1 || len(shown) != 2 || shown[0] != shown[1] {
		t.Errorf("in the log: %q; on the screen: %q", logged, shown)
	}
	a.exits()
}
