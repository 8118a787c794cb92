package opencode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/secret"
	"hermes/internal/session"
	"hermes/internal/simulate/inprocess"
	"hermes/internal/simulate/opencode2sim"
	"hermes/internal/simulate/testenv"
	"hermes/opencode/service"
)

// passwordOfService is what no log may have.
const passwordOfService = "canary-of-the-service"

// background is a Gateway that follows the file of a service.
type background struct {
	*watched
	*opencode2sim.Simulator
	path  string
	log   testenv.LockedBuffer
	calls atomic.Int32 // of the password, to whomever
	kills atomic.Bool  // the process that the file names does not run
}

// follow plays a test with a service of each shape. It is for a bubble.
func followService(t *testing.T, o opencode2sim.Options, test func(*testing.T, *background)) {
	t.Helper()
	for name, shape := range map[string]opencode2sim.Shape{"preview": opencode2sim.Preview, "release": opencode2sim.Release} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := &background{path: filepath.Join(t.TempDir(), "service.json")}
				o.Shape, o.Password, o.Registration = shape, passwordOfService, b.path
				b.Simulator = opencode2sim.New(o)
				b.watched = watch(t, Config{
					Service: Service{File: service.File{Path: b.path, IsRunning: b.isRunning}, Transport: roundTrip(b.roundTrip)},
					Log:     slog.New(slog.NewTextHandler(&b.log, nil)),
				})
				t.Cleanup(b.Simulator.Stop)
				t.Cleanup(func() {
					if strings.Contains(b.log.String(), "canary") {
						t.Errorf("the log has the password:\n%s", b.log.String())
					}
					if b.Disowned() {
						t.Error("the service has lost its file")
					}
				})
				test(t, b)
			})
		})
	}
}

func (b *background) isRunning(pid int) bool {
	return !b.kills.Load() && b.Simulator.Running() && pid == b.PID()
}

func (b *background) roundTrip(req *http.Request) (*http.Response, error) {
	if _, password, _ := req.BasicAuth(); password != "" {
		b.calls.Add(1)
	}
	return b.Transport().RoundTrip(req)
}

// connected reports whether the service counts as connected.
func (b *background) connected() bool {
	_, direct := b.Ways()
	return direct == 1
}

// rewrite changes the file by hand, which no service survives for long.
func (b *background) rewrite(t *testing.T, change func(*opencode2sim.Registration)) {
	t.Helper()
	raw, err := os.ReadFile(b.path)
	var r opencode2sim.Registration
	if err == nil {
		err = json.Unmarshal(raw, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	change(&r)
	raw, _ = json.Marshal(r)
	if err := os.WriteFile(b.path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestBackground_ComesAndGoes(t *testing.T) {
	followService(t, opencode2sim.Options{}, func(t *testing.T, b *background) {
		wait(time.Second)
		if want := []session.Origin{{Way: session.Direct, Process: "service", Host: ownHostname()}}; !b.connected() || fmt.Sprint(b.Servers()) != fmt.Sprint(want) {
			t.Errorf("connected %v, %+v", b.connected(), b.Servers())
		}
		b.Simulator.Stop()
		wait(time.Second)
		if b.connected() || len(b.Servers()) != 0 {
			t.Error("a service that was stopped counts as connected")
		}
		wait(time.Hour)
		if n := strings.Count(b.log.String(), "\n"); n > 4 {
			t.Errorf("the log fills while there is none:\n%s", b.log.String())
		}
		b.Start()
		wait(followEvery + time.Second)
		if !b.connected() {
			t.Errorf("the service is back and not connected:\n%s", b.log.String())
		}
		before := b.calls.Load()
		b.Restart()
		wait(time.Second)
		if !b.connected() || b.calls.Load() == before || b.Listeners() != 1 {
			t.Errorf("after a restart: connected %v, %d streams", b.connected(), b.Listeners())
		}
		if _, err := os.Stat(b.path); err != nil {
			t.Error(err)
		}
	})
}

// A service that boots says so, and is tried again after a second.
func TestBackground_WhileItBoots(t *testing.T) {
	followService(t, opencode2sim.Options{Boot: 5 * time.Second}, func(t *testing.T, b *background) {
		wait(4 * time.Second)
		if b.connected() {
			t.Error("connected while it boots")
		}
		wait(4 * time.Second)
		if !b.connected() {
			t.Errorf("not connected when it has booted:\n%s", b.log.String())
		}
	})
}

// What the file says is not believed, and nothing is sent, least of all the password.
func TestBackground_NotBelieved(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*testing.T, *background)
		said  string
	}{
		"another machine": {func(t *testing.T, b *background) {
			b.rewrite(t, func(r *opencode2sim.Registration) { r.URL = "http://192.0.2.1:49374" })
		}, "is not of this machine"},
		"readable by others": {func(t *testing.T, b *background) {
			if err := os.Chmod(b.path, 0o644); err != nil {
				t.Fatal(err)
			}
		}, "can be read or written by other users"},
		"not what OpenCode writes": {func(t *testing.T, b *background) {
			if err := os.WriteFile(b.path, []byte("{"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "is not what OpenCode writes"},
		"left by a kill": {func(_ *testing.T, b *background) { b.kills.Store(true) }, "was left behind"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := &background{path: filepath.Join(t.TempDir(), "service.json")}
				b.Simulator = opencode2sim.New(opencode2sim.Options{Password: passwordOfService, Registration: b.path})
				defer b.Simulator.Stop()
				c.spoil(t, b)
				b.watched = watch(t, Config{
					Service: Service{File: service.File{Path: b.path, IsRunning: b.isRunning}, Transport: roundTrip(b.roundTrip)},
					Log:     slog.New(slog.NewTextHandler(&b.log, nil)),
				})
				wait(4 * time.Second)
				if b.connected() || b.calls.Load() != 0 {
					t.Errorf("connected %v, the password was sent %d times", b.connected(), b.calls.Load())
				}
				if log := b.log.String(); strings.Count(log, c.said) != 1 || strings.Contains(log, "canary") {
					t.Errorf("the log says\n%s", log)
				}
			})
		})
	}
}

// The server at the URL must be the process that the file names, of the version that it names.
func TestBackground_AnotherProcess(t *testing.T) {
	for name, change := range map[string]func(*opencode2sim.Registration){
		"pid":     func(r *opencode2sim.Registration) { r.PID++ },
		"version": func(r *opencode2sim.Registration) { r.Version = "2.9.9" },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := &background{path: filepath.Join(t.TempDir(), "service.json")}
				b.Simulator = opencode2sim.New(opencode2sim.Options{Password: passwordOfService, Registration: b.path})
				defer b.Simulator.Stop()
				b.rewrite(t, change)
				b.watched = watch(t, Config{
					Service: Service{File: service.File{Path: b.path, IsRunning: func(int) bool { return true }}, Transport: roundTrip(b.roundTrip)},
					Log:     slog.New(slog.NewTextHandler(&b.log, nil)),
				})
				wait(30 * time.Second)
				if b.connected() || b.Listeners() != 0 || !strings.Contains(b.log.String(), errAnotherProcess.Error()) {
					t.Errorf("connected %v, %d streams\n%s", b.connected(), b.Listeners(), b.log.String())
				}
			})
		})
	}
}

// A password that is refused is read anew before each try, and used when it is right again.
func TestBackground_PasswordChanges(t *testing.T) {
	followService(t, opencode2sim.Options{}, func(t *testing.T, b *background) {
		raw, err := os.ReadFile(b.path)
		if err != nil {
			t.Fatal(err)
		}
		wrong := bytes.Replace(raw, []byte(passwordOfService), []byte("canary-of-before"), 1)
		if err := os.WriteFile(b.path, wrong, 0o600); err != nil {
			t.Fatal(err)
		}
		b.CutStreams()
		wait(10 * time.Second)
		if b.connected() || !strings.Contains(b.log.String(), "unauthorized") {
			t.Errorf("connected %v\n%s", b.connected(), b.log.String())
		}
		if err := os.WriteFile(b.path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		wait(20 * time.Second)
		if !b.connected() {
			t.Errorf("not connected with the right password\n%s", b.log.String())
		}
	})
}

// An ask whose event was missed is found when all is looked through again, and one that was
// asked while nobody listened when the stream is open again.
func TestBackground_MissedEvents(t *testing.T) {
	followService(t, opencode2sim.Options{}, func(t *testing.T, b *background) {
		wait(time.Second)
		b.told()
		var deaf atomic.Bool
		deaf.Store(true)
		b.SetFault(func(req *http.Request) inprocess.Fault {
			if deaf.Load() && req.URL.Path == "/api/event" {
				return inprocess.FailBeforeEffect
			}
			return inprocess.NoFault
		})
		b.CutStreams()
		wait(time.Second)
		b.Ask(proj, "", opencode2sim.Question(colour))
		wait(time.Minute)
		if told := b.told("asked"); told != "" {
			t.Errorf("told %q", told)
		}
		deaf.Store(false)
		wait(20 * time.Second)
		b.wantTold(t, "opened proj Colour", "opened")
	})
}

// A look-up that fails while all is looked through delays what waits there by seconds, and
// nothing else at all.
func TestBackground_OneLookUpFails(t *testing.T) {
	for name, fails := range map[string]func(string) bool{
		"of a session": func(path string) bool {
			return strings.HasPrefix(path, "/api/session/ses_") && strings.Count(path, "/") == 3
		},
		"of a directory": func(path string) bool { return path == "/api/permission/request" },
	} {
		t.Run(name, func(t *testing.T) {
			followService(t, opencode2sim.Options{}, func(t *testing.T, b *background) {
				wait(time.Second)
				var deaf atomic.Bool
				var failing atomic.Int32
				b.SetFault(func(req *http.Request) inprocess.Fault {
					isStream := deaf.Load() && req.URL.Path == "/api/event"
					if isStream || fails(req.URL.Path) && failing.Add(-1) >= 0 {
						return inprocess.FailBeforeEffect
					}
					return inprocess.NoFault
				})
				deaf.Store(true)
				b.CutStreams()
				wait(time.Second)
				b.Ask("/home/ada/other", "", opencode2sim.Question(colour))
				failing.Store(3) // one call is tried three times
				b.told()
				deaf.Store(false)
				wait(25 * time.Second)
				if told := b.told("opened"); !strings.Contains(told, "other Colour") {
					t.Errorf("told %q", told)
				}
				if !b.connected() {
					t.Error("the service does not count as connected")
				}
			})
		})
	}
}

// What is always allowed where no repository is holds in every such folder of the machine: it is not
// offered there, whether the ask is heard or listed.
func TestBackground_AlwaysOutsideOfRepositories(t *testing.T) {
	followService(t, opencode2sim.Options{Projects: map[string]string{shop: "global"}}, func(t *testing.T, b *background) {
		always := func(kind event.Kind, directory string) (patterns []string) {
			for _, e := range b.take(kind) {
				for _, a := range e.Asks {
					if e.Origin.Directory == directory {
						patterns = a.Request.Permission.Always
					}
				}
			}
			return patterns
		}
		wait(time.Second)
		for directory, want := range map[string][]string{shop: nil, proj: {"*"}} {
			b.AskEdit(directory, "", "a.txt", "x", "y")
			wait(time.Second)
			if got := always(event.Asked, directory); !slices.Equal(got, want) {
				t.Errorf("heard in %s: %q, want %q", directory, got, want)
			}
			b.CutStreams()
			wait(time.Minute)
			if got := always(event.Opened, directory); !slices.Equal(got, want) {
				t.Errorf("listed in %s: %q, want %q", directory, got, want)
			}
		}
	})
}

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
		wait(40 * time.Second)
		n.wantOne(t, "service")
	})
}

// Only what is proven to be one process counts as one.
func TestProcesses_WhatIsOne(t *testing.T) {
	v2 := Identity{Version: "2.0.18", PID: 7}
	for name, c := range map[string]struct {
		password string
		who      Identity
		want     bool
	}{
		"the same process":           {"p", v2, true},
		"another process":            {"p", Identity{"2.0.18", 8}, false},
		"another version":            {"p", Identity{"2.0.19", 7}, false},
		"another password":           {"q", v2, false},
		"of OpenCode 1, without one": {"p", Identity{Version: "1.18.34"}, false},
	} {
		b := &backgroundService{server: &directServer{server: Server{Password: "p"}, who: v2, following: true}}
		other := &directServer{server: Server{Password: secret.Text(c.password)}}
		if got := b.follows(other, c.who); got != c.want {
			t.Errorf("%s: it is followed already: %v", name, got)
		}
	}
}
