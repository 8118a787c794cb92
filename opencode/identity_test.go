package opencode

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/simulate/inprocess"
	"hermes/internal/simulate/opencode2sim"
	"hermes/opencode/call"
	"hermes/opencode/release"
)

func TestClient_LineOfAVersion(t *testing.T) {
	for version, want := range map[string]session.Protocol{
		release.Oldest: session.V1, "1.15.13": session.V1, release.Newest: session.V1, "0.0.0-dev-202609212252": session.V1, "": session.V1, "local": session.V1,
		"2.0.0-v2.44b6938b2": session.V2, "2.0.17": session.V2, "2.1.0": session.V2,
	} {
		if got := NewClient(call.Endpoint{Transport: nobody}, version, 0).protocol; got != want {
			t.Errorf("%q is reached as %q, want %q", version, got, want)
		}
	}
}

// An ask of the other line has ended, and so has one of the routes that hermes does not call any more. One that was only seen as
// a call names no line: it is of 1.x.
func TestClient_AsksOfTheOtherLineHaveEnded(t *testing.T) {
	for version, none := range map[string][]session.Protocol{release.Newest: {session.Preview, session.V2}, "2.0.26": {"", session.V1, session.Preview}} {
		for _, p := range none {
			c := NewClient(call.Endpoint{Transport: nobody}, version, 0)
			if f, err := c.Look(t.Context(), question.Request{ID: "x_1", Session: "ses_1", Protocol: p}); f.Kind != event.FoundForgotten || err != nil {
				t.Errorf("%s: an ask of %q is %+v, %v", version, p, f, err)
			}
		}
	}
}

// served is how a server answers a path.
type served struct {
	status int
	kind   string
	body   string
}

const (
	asJSON = "application/json"
	asPage = "text/html"
)

// webPage is what a server answers to what it does not know.
var webPage = served{200, asPage, "<!doctype html>"}

// The answers are those of capture 17, of the released binaries and of 2.0 of 2026-07-20; those of
// the 2.0 release are read in its source.
func TestIdentify_WhichOpenCode(t *testing.T) {
	no := served{404, "", ""}
	for name, c := range map[string]struct {
		paths map[string]served
		other served
		want  Identity
		fault call.Reason
		asked []string
	}{
		"1.1.53": {
			map[string]served{"/global/health": {200, asJSON, `{"healthy":true,"version":"1.1.53"}`}},
			served{500, asJSON, `{"name":"UnknownError"}`},
			Identity{"1.1.53", 0},
			"",
			[]string{"/global/health"},
		},
		"1.18.33": {
			map[string]served{
				"/global/health": {200, asJSON, `{"healthy":true,"version":"1.18.33"}`},
				"/api/health":    {200, asJSON, `{"healthy":true}`},
			},
			webPage,
			Identity{"1.18.33", 0},
			"",
			[]string{"/global/health"},
		},
		"1.18.33 without its first path": {
			map[string]served{"/api/health": {200, asJSON, `{"healthy":true}`}},
			webPage,
			Identity{},
			call.NotOpenCode,
			[]string{"/global/health", "/api/info", "/api/health"},
		},
		"2.0 of 2026-07-20": {
			map[string]served{"/api/health": {200, asJSON, `{"healthy":true,"version":"2.0.0-v2.44b6938b2","pid":21321}`}},
			no,
			Identity{"2.0.0-v2.44b6938b2", 21321},
			"",
			[]string{"/global/health", "/api/info", "/api/health"},
		},
		"2.0 before it had forms": { // capture 16
			map[string]served{"/api/health": {200, asJSON, `{"healthy":true}`}},
			no,
			Identity{},
			call.NotOpenCode,
			[]string{"/global/health", "/api/info", "/api/health"},
		},
		"2.0.18, which has a web page": {
			map[string]served{"/api/info": {200, asJSON, `{"version":"2.0.18","pid":77,"urls":[],"paths":{"tmp":"/tmp"}}`}},
			webPage,
			Identity{"2.0.18", 77},
			"",
			[]string{"/global/health", "/api/info"},
		},
		"2.0 while it starts": {
			nil, served{503, asJSON, `{"code":"service_starting"}`}, Identity{}, call.Broken, []string{"/global/health"},
		},
		"without its password": {nil, served{401, "", ""}, Identity{}, call.Unauthorized, []string{"/global/health"}},
		"another web server":   {nil, webPage, Identity{}, call.NotOpenCode, []string{"/global/health", "/api/info", "/api/health"}},
		"another JSON server":  {nil, served{200, asJSON, `{"version":2,"pid":"x"}`}, Identity{}, call.NotOpenCode, []string{"/global/health", "/api/info", "/api/health"}},
		"nothing there":        {nil, no, Identity{}, call.NotFound, []string{"/global/health", "/api/info", "/api/health"}},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []string
			s := Server{URL: serverURL, Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				asked = append(asked, r.URL.Path)
				answer, known := c.paths[r.URL.Path]
				if !known {
					answer = c.other
				}
				return respond(answer.status, answer.kind, strings.NewReader(answer.body)), nil
			})}
			got, err := s.Identify(t.Context())
			var fault *call.Error
			if errors.As(err, &fault); got != c.want || (err == nil) != (c.fault == "") || err != nil && fault.Reason != c.fault {
				t.Errorf("got %+v, %v", got, err)
			}
			if !slices.Equal(asked, c.asked) {
				t.Errorf("asked %q", asked)
			}
			if got.IsV2() != (got.PID > 0) {
				t.Error("the line is not told by the pid")
			}
		})
	}
}

// A server does not answer the first request in the instant in which it begins to listen (measured on 1.18.33, and on the preview of
// 2.0: 6 of 6): it is asked again.
func TestIdentify_FirstRequestIsNeverAnswered(t *testing.T) {
	for name, identify := range map[string]func(Server, context.Context) (Identity, error){"any": Server.Identify, "of 2": Server.IdentifyV2} {
		synctest.Test(t, func(t *testing.T) {
			sim := opencode2sim.New(opencode2sim.Options{Shape: opencode2sim.Release})
			defer sim.Stop()
			var asked atomic.Bool
			sim.SetFault(func(*http.Request) inprocess.Fault {
				if !asked.Swap(true) {
					return inprocess.Hang
				}
				return inprocess.NoFault
			})
			began := time.Now()
			s := Server{URL: serverURL, Transport: sim.Transport(), Username: "opencode", Password: "secret"}
			if i, err := identify(s, t.Context()); err != nil || i.PID != sim.PID() || time.Since(began) > 3*time.Second {
				t.Errorf("%s: it is %+v, %v, after %v", name, i, err, time.Since(began))
			}
		})
	}
}
