package v2_test

import (
	"context"
	"log/slog"
	"net/http"
	"path/filepath"
	"testing"
	"testing/synctest"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/simulate/inprocess"
	"hermes/internal/simulate/opencode2sim"
	"hermes/opencode"
	"hermes/opencode/call"
	"hermes/opencode/link"
	"hermes/opencode/relay"
	"hermes/opencode/service"
	v2 "hermes/opencode/v2"
)

// proj is the directory of these tests.
const proj = "/home/ada/proj"

// shapes are the known shapes of OpenCode 2, and what the release may do besides.
func shapes() map[string]opencode2sim.Options {
	return map[string]opencode2sim.Options{
		"preview":         {Shape: opencode2sim.Preview},
		"release":         {},
		"release, strict": {Unsure: opencode2sim.Unsure{WebUI: true, MethodNotAllowed: true}},
	}
}

// eachShape runs a test with each shape, over HTTP and over a link, in a bubble of its own.
func eachShape(t *testing.T, change func(*opencode2sim.Options), test func(t *testing.T, s *opencode2sim.Simulator, d *v2.Driver)) {
	t.Helper()
	for name, o := range shapes() {
		if change != nil {
			change(&o)
		}
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := opencode2sim.New(o)
				defer s.Stop()
				test(t, s, driverOf(s))
			})
		})
		playLinked(t, name, o, test)
	}
}

// driverOf drives the sessions of a simulator in proj.
func driverOf(s *opencode2sim.Simulator) *v2.Driver {
	return v2.NewDriver(&call.Endpoint{
		Transport: s.Transport(), Base: "http://opencode", Directory: proj, Username: "opencode", Password: "secret", Routes: new(call.Routes),
	})
}

// failPosts makes the simulator fail what changes something.
func failPosts(s *opencode2sim.Simulator, fault inprocess.Fault) {
	s.SetFault(func(r *http.Request) inprocess.Fault {
		if r.Method == http.MethodPost {
			return fault
		}
		return inprocess.NoFault
	})
}

// only is the one ask that waits.
func only(t *testing.T, list func(context.Context) ([]question.Request, error)) question.Request {
	t.Helper()
	all, err := list(t.Context())
	if err != nil || len(all) != 1 {
		t.Fatalf("%d wait, %v", len(all), err)
	}
	return all[0]
}

// created is a new session.
func created(t *testing.T, d *v2.Driver) session.ID {
	t.Helper()
	s, err := d.CreateOnce(t.Context(), now())
	if err != nil || s.Title != "" || s.Directory != proj || s.Busy {
		t.Fatalf("made %+v, %v", s, err)
	}
	return s.ID
}

// hubServer is hermes' end, which runs.
type hubServer struct{ http.Handler }

// Running implements inprocess.Server.
func (hubServer) Running() bool { return true }

// linkedDriver drives the sessions of a simulator in proj over a link: by hermes link run, and by hermes' end of the link. The
// simulator writes the file; it gets a session in proj for a moment, as hermes link run takes no other directory.
func linkedDriver(t *testing.T, s *opencode2sim.Simulator, file string) *v2.Driver {
	t.Helper()
	opened, token := make(chan *link.Link, 1), link.NewToken()
	hub := link.New(link.Config{Remote: true, Opened: func(l *link.Link) { opened <- l }})
	guard := link.Access{Link: func(h link.Hash) (string, bool) { return "laptop", h == link.HashOf(token) }}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	process := relay.New(relay.Config{
		Address: func() (relay.Address, error) {
			return relay.Address{URLs: []string{"http://hermes"}, Token: token}, nil
		},
		Hermes: inprocess.Transport(hubServer{guard.GuardLinks(hub)}), Host: "laptop", Log: slog.New(slog.DiscardHandler),
		Service: opencode.Service{File: service.File{Path: file, IsRunning: func(pid int) bool { return pid == s.PID() }}, Transport: s.Transport()},
	})
	go func() {
		defer close(ended)
		process.Run(ctx)
	}()
	t.Cleanup(func() {
		stop()
		<-ended
		hub.Close()
	})
	l := <-opened
	s.Delete(s.NewSession(proj, "for a moment"))
	synctest.Wait()
	return v2.NewDriver(&call.Endpoint{Transport: l.RoundTripper(), Base: "http://opencode.internal", Directory: proj, Routes: new(call.Routes)})
}

// playLinked runs a test of eachShape over a link, which opens when the service has started.
func playLinked(t *testing.T, name string, o opencode2sim.Options, test func(t *testing.T, s *opencode2sim.Simulator, d *v2.Driver)) {
	t.Helper()
	if o.Boot > 0 {
		return
	}
	t.Run(name+" over a link", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			o.Registration = filepath.Join(t.TempDir(), "opencode", "service.json")
			s := opencode2sim.New(o)
			defer s.Stop()
			test(t, s, linkedDriver(t, s, o.Registration))
		})
	})
}
