package v2_test

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/simulate/inprocess"
	"hermes/internal/simulate/opencode2sim"
	"hermes/opencode/call"
	v2 "hermes/opencode/v2"
)

// proj is the directory of these tests.
const proj = "/home/ada/proj"

// shapes are the known shapes of OpenCode 2, and what the release may do besides.
func shapes() map[string]opencode2sim.Options {
	return map[string]opencode2sim.Options{
		"preview":         {},
		"release":         {Shape: opencode2sim.Release},
		"release, strict": {Shape: opencode2sim.Release, Unsure: opencode2sim.Unsure{WebUI: true, MethodNotAllowed: true, StrictDecision: true}},
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
func only(t *testing.T, d *v2.Driver, list func(v2.Protocol, string) call.Reading[[]question.Request]) question.Request {
	t.Helper()
	all, err := list(v2.Protocol{}, proj).From(context.Background(), d.Endpoint)
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
