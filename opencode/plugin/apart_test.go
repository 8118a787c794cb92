package plugin_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/link"
)

// twoServers is an OpenCode of which what listens is one server, and what the client of
// plugins speaks with another one.
func twoServers(t *testing.T) (sim *opencodesim.Simulator, listening, inProcess string) {
	t.Helper()
	sim = opencodesim.New(opencodesim.Options{Directory: directory, Password: "pässword", Apart: true})
	serve := func(h http.Handler) string {
		srv := httptest.NewServer(h)
		t.Cleanup(srv.Close)
		return srv.URL
	}
	t.Cleanup(sim.Stop)
	return sim, serve(sim), serve(sim.InProcess())
}

// apartAgent has the plugin in a server of that version that is two.
func apartAgent(t *testing.T, h *hermes, version, listening, inProcess string) *agent {
	t.Helper()
	return startAgent(t, h.URL, "FAKE_VERSION="+version, "SERVER="+listening, "INPROCESS="+inProcess, "OPENCODE_SERVER_PASSWORD=pässword")
}

// The versions are the first and the last that were measured, and their neighbours.
func TestApart_ThePluginSpeaksWithTheServerThatListens(t *testing.T) {
	for version, apart := range map[string]bool{"1.14.41": false, "1.14.48": true, "1.15.13": true, "1.16.2": true, "1.17.0": true, "1.17.9": false} {
		t.Run(version, func(t *testing.T) {
			sim, listening, inProcess := twoServers(t)
			id, _ := sim.Ask(directory, "", opencodesim.Question{Question: "Which?", Header: "H"})
			h := startHermes(t)
			a := apartAgent(t, h, version, listening, inProcess)
			a.do("init")
			l := receive(t, h.opened)
			if got := listed(t, l, "/question"); strings.Contains(got, id) != apart {
				t.Errorf("the plugin listed %s", got)
			}
			status, _, err := roundTrip(t, l, "POST", "/question/"+id+"/reply", strings.NewReader(`{"answers":[["Ä"]]}`))
			want := 404
			if apart {
				want = 200
			}
			if status != want || err != nil || (sim.Replies(id) == 1) != apart {
				t.Errorf("the reply gave %d %v, and the question was answered %d times", status, err, sim.Replies(id))
			}
			byClient := slices.ContainsFunc(a.requests(), func(r asked) bool { return r.URL != "/global/health" })
			if byClient == apart {
				t.Errorf("the client was asked %+v", a.requests())
			}
			a.exits()
		})
	}
}

// A terminal listens nowhere, whatever its serverUrl says: another program may listen there,
// which must not see the password.
func TestApart_ATerminalIsAskedByTheClient(t *testing.T) {
	h := startHermes(t)
	a := startAgent(t, h.URL, "FAKE_VERSION=1.15.13")
	a.do("list", "/question", []any{map[string]any{"id": "que_1"}})
	a.do("init")
	if got := listed(t, receive(t, h.opened), "/question"); got != `[{"id":"que_1"}]` {
		t.Errorf("the plugin listed %s", got)
	}
	a.exits()
}

// The first instance may end alone: a reload, of which the second one is the new instance.
func TestApart_TheSecondInstanceTakesOver(t *testing.T) {
	_, listening, inProcess := twoServers(t)
	h := startHermes(t)
	a := apartAgent(t, h, "1.15.13", listening, inProcess)
	a.do("init")
	receive(t, h.opened)
	a.do("init")
	a.event("session.idle", map[string]any{"sessionID": "ses_joined"})
	receive(t, h.events)
	a.do("instance", 0)
	a.event("server.instance.disposed", map[string]any{"directory": directory})
	if reason := receive(t, h.closed); reason != link.Disposed {
		t.Errorf("the first link ended as %v", reason)
	}
	second := receive(t, h.opened)
	a.do("instance", 1)
	a.event("session.idle", map[string]any{"sessionID": "ses_second"})
	for got := ""; !strings.Contains(got, "ses_second"); {
		got = receive(t, h.events)
	}
	if second.Reason() != link.Open {
		t.Errorf("the second link ended as %v", second.Reason())
	}
	a.exits()
}

// Another plugin's call makes the second server load the plugins for the directory, too.
// What is asked is told to the first instance.
func TestApart_ASecondInstanceLeavesTheFirst(t *testing.T) {
	_, listening, inProcess := twoServers(t)
	h := startHermes(t)
	a := apartAgent(t, h, "1.15.13", listening, inProcess)
	a.do("init")
	l := receive(t, h.opened)
	a.do("init")
	hears := func(instance int, session string) {
		t.Helper()
		a.do("instance", instance)
		a.event("session.idle", map[string]any{"sessionID": session})
		if got := receive(t, h.events); !strings.Contains(got, session) {
			t.Errorf("hermes heard %s", got)
		}
	}
	hears(0, "ses_first")
	hears(1, "ses_second")
	a.event("server.instance.disposed", map[string]any{"directory": directory})
	a.do("dispose", map[string]any{})
	hears(0, "ses_third")
	if l.Reason() != link.Open || len(h.opened) != 0 {
		t.Errorf("the first link is %v, and %d more were opened", l.Reason(), len(h.opened))
	}
	a.exits()
}
