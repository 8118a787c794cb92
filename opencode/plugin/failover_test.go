package plugin_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hermes/internal/standby"
	"hermes/opencode/link"
	"hermes/opencode/plugin"
)

// one of several hermes that share a store.
type one struct {
	*hermes
	acts   atomic.Bool
	hangs  atomic.Bool // as a process that was stopped: connections stand, and nothing comes
	acting string      // where a standby says that one acts
	resume chan struct{}
}

// startOne starts a standby.
func startOne(t *testing.T) *one {
	t.Helper()
	o := &one{hermes: newHermes(), resume: make(chan struct{})}
	t.Cleanup(o.hub.Close)
	o.Server = newServer(t, func(w http.ResponseWriter, r *http.Request) {
		if !o.hangs.Load() && o.acts.Load() {
			link.Access{API: token}.GuardLinks(o.hub).ServeHTTP(&pausing{w, o}, r)
			return
		}
		o.hang(r)
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
		_ = json.NewEncoder(w).Encode(standby.Reply{Error: "standby", Standby: true, Acting: o.acting})
	})
	t.Cleanup(func() { close(o.resume) })
	return o
}

// hang waits while the process is stopped.
func (o *one) hang(r *http.Request) {
	if o.hangs.Load() {
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-o.resume:
		case <-r.Context().Done():
		}
	}
}

// pausing holds back answers while the process is stopped.
type pausing struct {
	http.ResponseWriter
	of *one
}

func (p *pausing) WriteHeader(status int) {
	if p.of.hangs.Load() {
		<-p.of.resume
	}
	p.ResponseWriter.WriteHeader(status)
}

// kill ends every connection and takes no more.
func (o *one) kill() {
	o.Listener.Close()
	o.CloseClientConnections()
}

// startAmong starts the plugin with the addresses of all.
func startAmong(t *testing.T, all ...string) *agent {
	t.Helper()
	config := t.TempDir()
	if _, err := plugin.Install(plugin.Options{ConfigDir: config, URLs: all, Token: token}); err != nil {
		t.Fatal(err)
	}
	return startAgentIn(t, config)
}

func TestFailover_TheHermesThatActsIsFound(t *testing.T) {
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	wrong := newServer(t, http.NotFound)
	for name, first := range map[string]func(*one) string{
		"standby": func(o *one) string { return o.URL },
		"hung":    func(o *one) string { o.hangs.Store(true); return o.URL },
		"dead":    func(*one) string { return dead.URL },
		"another": func(*one) string { return wrong.URL },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, b := startOne(t), startOne(t)
			b.acts.Store(true)
			a := startAmong(t, first(before), b.URL)
			began := time.Now()
			a.do("init")
			receive(t, b.hermes.opened)
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("the link opened after %v", took)
			}
			a.exits()
		})
	}
}

// A takeover is over for people within ten seconds of a kill, of which hermes needs some seven: so the plugin has to look often. What was asked
// meanwhile is announced.
func TestFailover_ATakeover(t *testing.T) {
	for name, end := range map[string]struct {
		do   func(*one)
		most time.Duration // until the link is open, when the other one acts two seconds later
	}{
		"killed":  {(*one).kill, 6 * time.Second},
		"deposed": {func(o *one) { o.acts.Store(false); o.hub.Close() }, 6 * time.Second},
		"paused":  {func(o *one) { o.hangs.Store(true) }, 9 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, after := startOne(t), startOne(t)
			before.acts.Store(true)
			a := startAmong(t, before.URL, after.URL)
			a.do("init")
			receive(t, before.hermes.opened)
			end.do(before)
			ended := time.Now()
			a.do("list", "/question", []any{map[string]any{"id": "que_1"}})
			a.event("question.asked", map[string]any{"id": "que_1"})
			<-time.After(2 * time.Second)
			after.acts.Store(true)
			l := receive(t, after.hermes.opened)
			if took := time.Since(ended); took > end.most {
				t.Errorf("the link opened after %v", took)
			}
			if got := listed(t, l, "/question"); got != `[{"id":"que_1"}]` {
				t.Errorf("the plugin listed %s", got)
			}
			if status, _, err := roundTrip(t, l, "POST", "/question/que_1/reply", strings.NewReader(`{"answers":[["a"]]}`)); status != 200 {
				t.Errorf("the reply gave %d %v", status, err)
			}
			a.exits()
		})
	}
}

// A hermes that is well stays linked, however long nothing happens.
func TestFailover_AnIdleLinkStays(t *testing.T) {
	t.Parallel()
	o, other := startOne(t), startOne(t)
	o.acts.Store(true)
	a := startAmong(t, other.URL, o.URL)
	a.do("init")
	l := receive(t, o.hermes.opened)
	<-time.After(6 * time.Second)
	if l.Reason() != link.Open {
		t.Errorf("the link ended as %v", l.Reason())
	}
	a.exits()
}

// What a standby says of the hermes that acts is for people. The token goes to the addresses of the list alone.
func TestFailover_TheTokenGoesNowhereElse(t *testing.T) {
	stranger := newServer(t, func(http.ResponseWriter, *http.Request) {
		t.Error("the plugin went to an address that it was not given")
	})
	hostile, b := startOne(t), startOne(t)
	hostile.acting = stranger.URL
	b.acting = stranger.URL
	a := startAmong(t, hostile.URL, b.URL)
	a.do("init")
	<-time.After(2 * time.Second)
	b.acts.Store(true)
	receive(t, b.hermes.opened)
	a.exits()
	single := startAmong(t, hostile.URL)
	single.do("init")
	<-time.After(2 * time.Second)
	single.exits()
}

// The environment names several as well, and an older plugin reads "url" in the file.
func TestFailover_WhereTheAddressesStand(t *testing.T) {
	standby, b := startOne(t), startOne(t)
	b.acts.Store(true)
	config := t.TempDir()
	if _, err := plugin.Install(plugin.Options{ConfigDir: config, URLs: []string{standby.URL, b.URL}, Token: token}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(config, "plugin", "hermes.json")
	var written struct {
		URL  string
		URLs []string
	}
	content, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(content, &written) != nil || written.URL != standby.URL || strings.Join(written.URLs, " ") != standby.URL+" "+b.URL {
		t.Errorf("the file has %s, %v", content, err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	a := startAgentIn(t, config, "HERMES_URL="+standby.URL+", "+b.URL, "HERMES_TOKEN="+token)
	a.do("init")
	receive(t, b.hermes.opened)
	a.exits()
}

// A token that hermes does not take is told of, also where a standby does not look at it.
func TestFailover_ARefusalIsTold(t *testing.T) {
	t.Parallel()
	standby := startOne(t)
	acting := newServer(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	a := startAmong(t, standby.URL, acting.URL)
	a.do("init")
	for began := time.Now(); ; <-time.After(100 * time.Millisecond) {
		told := false
		for _, r := range a.requests() {
			told = told || r.URL == "/log" && strings.Contains(string(r.Body), "does not take the token")
		}
		if told {
			break
		}
		if time.Since(began) > patience {
			t.Fatal("the refusal was not told")
		}
	}
	a.exits()
}
