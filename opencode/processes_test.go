package opencode

import (
	"errors"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/secret"
	"hermes/internal/simulate/opencode2sim"
	"hermes/opencode/service"
)

// lanURL is another name of the service.
const lanURL = "http://192.168.7.5:49374"

// named is a service that a person has named by another address too.
type named struct {
	*background
	unreachable atomic.Bool // by that address
}

func followNamed(t *testing.T, unreachable bool) *named {
	t.Helper()
	n := &named{background: &background{path: filepath.Join(t.TempDir(), "service.json")}}
	n.unreachable.Store(unreachable)
	n.Simulator = opencode2sim.New(opencode2sim.Options{Password: passwordOfService, Registration: n.path})
	t.Cleanup(n.Simulator.Stop)
	lan := roundTrip(func(req *http.Request) (*http.Response, error) {
		if n.unreachable.Load() {
			return nil, errors.New("no route to host")
		}
		return n.Transport().RoundTrip(req)
	})
	n.watched = watch(t, Config{
		Servers: []Server{{URL: lanURL, Username: "opencode", Password: passwordOfService, Transport: lan}},
		Service: Service{File: service.File{Path: n.path, IsRunning: n.isRunning}, Transport: roundTrip(n.roundTrip)},
		Log:     slog.New(slog.NewTextHandler(&n.log, nil)),
	})
	return n
}

// wantOne fails unless the process is followed once, by this name.
func (n *named) wantOne(t *testing.T, process string) {
	t.Helper()
	servers := n.Servers()
	if len(servers) != 1 || servers[0].Process != process || n.Listeners() != 1 {
		t.Errorf("followed as %+v, with %d streams, want %s\n%s", servers, n.Listeners(), process, n.log.String())
	}
}

// A service that is named by another address as well is followed once, so that nothing it asks
// comes twice: by the name that a person gave it, at each start anew.
func TestProcesses_ServiceWithAnotherName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := followNamed(t, false)
		wait(10 * time.Second)
		n.wantOne(t, lanURL)
		n.told()
		n.Ask(proj, "", opencode2sim.Question(colour))
		wait(time.Second)
		n.wantTold(t, "asked proj Colour", "asked")
		n.CutStreams()
		wait(10 * time.Second)
		n.wantOne(t, lanURL)
		n.Restart()
		wait(20 * time.Second)
		n.wantOne(t, lanURL)
		if strings.Count(n.log.String(), errConfigured.Error()) != 1 {
			t.Errorf("the log says\n%s", n.log.String())
		}
	})
}

// If the other address leads nowhere, the file is followed, and stays so when it leads there again.
func TestProcesses_OtherNameLeadsNowhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := followNamed(t, true)
		wait(10 * time.Second)
		n.wantOne(t, "service")
		n.unreachable.Store(false)
		wait(time.Minute)
		n.wantOne(t, "service")
		if log := n.log.String(); strings.Count(log, errFollowed.Error()) != 1 {
			t.Errorf("the log says\n%s", log)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		n := followNamed(t, false)
		wait(10 * time.Second)
		n.unreachable.Store(true)
		n.CutStreams()
		wait(keptName + 10*time.Second)
		n.wantOne(t, "service")
	})
}

// Only what is proven to be one process counts as one.
func TestProcesses_WhatIsOne(t *testing.T) {
	of := func(password string, isService bool) *directServer {
		return &directServer{server: Server{Password: secret.Text(password)}, isService: isService}
	}
	v2 := Identity{Version: "2.0.18", PID: 7}
	for name, c := range map[string]struct {
		d    *directServer
		who  Identity
		want bool
	}{
		"the same process":           {of("p", true), v2, false},
		"another process":            {of("p", true), Identity{"2.0.18", 8}, true},
		"another version":            {of("p", true), Identity{"2.0.19", 7}, true},
		"another password":           {of("q", true), v2, true},
		"another configured server":  {of("p", false), v2, true},
		"of OpenCode 1, without one": {of("p", false), Identity{Version: "1.18.34"}, true},
	} {
		p := newProcesses()
		if !p.follow(of("p", false), v2) {
			t.Fatal("the first is not followed")
		}
		if got := p.follow(c.d, c.who); got != c.want {
			t.Errorf("%s: followed %v", name, got)
		}
	}
}
