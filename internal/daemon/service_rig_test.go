package daemon_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	"hermes/internal/daemon"
	"hermes/internal/question"
	opencode2 "hermes/internal/simulate/opencode2sim"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
)

// servicePassword is the password of the service. Nobody has configured it.
const servicePassword = "service-canary-0123456789abcdefghijklmnopqr"

// serviceRig is a rig beside the background service of OpenCode 2, which hermes finds by its file.
// The OpenCode 1.x of the rig runs too, and listens where rig.Server is.
type serviceRig struct {
	*rig.Rig
	Service *opencode2.Simulator
	Dir     string
	Session string
	File    string                                   // that the service writes
	Relay   *relayRig                                // hermes link run beside it; nil: hermes follows the file itself
	Cut     atomic.Pointer[func(*http.Request) bool] // reports which requests of the Relay to hermes find no way; nil: none
	Lose    atomic.Pointer[func(*http.Request) bool] // reports of which of them the answer finds none; nil: none

	servers sync.Map                            // of URLs: http.RoundTripper
	runs    atomic.Pointer[opencode2.Simulator] // Service, for the daemon
}

// playService runs a test in a bubble with a service of this shape and a running daemon, which
// reaches nothing else unless alter says so.
func playService(t *testing.T, shape opencode2.Shape, alter func(*config.Config), test func(*serviceRig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := newService(t, shape, alter)
		s.Rig.Start()
		s.Say("/start", 0)
		defer s.End()
		test(s)
	})
}

// playServiceOf is playService with a service of these options.
func playServiceOf(t *testing.T, o opencode2.Options, test func(*serviceRig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := newService(t, o.Shape, nil)
		s.Service.Stop()
		o.Password, o.Registration = servicePassword, s.File
		s.use(opencode2.New(o))
		s.Session = s.Service.NewSession(s.Dir, "fix checkout flow")
		s.Rig.Start()
		s.Say("/start", 0)
		defer s.End()
		test(s)
	})
}

// playServices is playService with each shape, and playLinkedService as well.
func playServices(t *testing.T, test func(*serviceRig)) {
	t.Helper()
	for name, shape := range map[string]opencode2.Shape{"preview": opencode2.Preview, "release": opencode2.Release} {
		t.Run(name, func(t *testing.T) { playService(t, shape, nil, test) })
		t.Run(name+" over a link", func(t *testing.T) { playLinkedService(t, shape, nil, test) })
	}
}

// newService is a service that runs, and a daemon that does not yet.
func newService(t *testing.T, shape opencode2.Shape, alter func(*config.Config)) *serviceRig {
	t.Helper()
	return newServiceAt(t, shape, filepath.Join(t.TempDir(), "opencode", "service.json"), alter)
}

// newServiceAt is newService with a service that writes this file.
func newServiceAt(t *testing.T, shape opencode2.Shape, file string, alter func(*config.Config)) *serviceRig {
	t.Helper()
	r := rig.NewStopped(t, opencode.VersionNew, func(c *config.Config) {
		c.OpenCodeURLs, c.OpenCodeService = nil, file
		if alter != nil {
			alter(c)
		}
	})
	s := &serviceRig{Rig: r, Dir: "/home/ada/src/shop-api", File: file}
	s.use(opencode2.New(opencode2.Options{Shape: shape, Password: servicePassword, Registration: file}))
	s.Session = s.Service.NewSession(s.Dir, "fix checkout flow")
	s.ServeAt(rig.Server, r.Opencode.Transport())
	s.Wrap = func(out daemon.Outside) daemon.Outside {
		out.IsRunning = func(pid int) bool { return s.runs.Load().Running() && pid == s.runs.Load().PID() }
		out.Opencode = rig.RoundTripper(s.dial)
		return out
	}
	return s
}

func (s *serviceRig) use(service *opencode2.Simulator) {
	s.Service = service
	s.runs.Store(service)
	s.ServeAt(service.URL(), service.Transport())
}

// Update stops the service and starts one of another shape in its place, with the same data, address
// and password.
func (s *serviceRig) Update(shape opencode2.Shape) {
	s.Service.Stop()
	s.use(s.Service.Beside(opencode2.Options{Shape: shape, Password: servicePassword, Registration: s.File}))
}

// Move stops the service and starts it at another address, with the same data and password.
func (s *serviceRig) Move(url string) { s.MoveWith(url, servicePassword) }

// MoveWith is Move with another password.
func (s *serviceRig) MoveWith(url, password string) {
	s.Service.Stop()
	s.servers.Delete(s.Service.URL())
	s.use(s.Service.Beside(opencode2.Options{URL: url, Password: password, Registration: s.File}))
}

// ServeAt has a server listen at a URL.
func (s *serviceRig) ServeAt(url string, to http.RoundTripper) { s.servers.Store(url, to) }

func (s *serviceRig) dial(req *http.Request) (*http.Response, error) {
	to, ok := s.servers.Load("http://" + req.URL.Host)
	if !ok {
		return nil, fmt.Errorf("dial %s: connection refused", req.URL.Host)
	}
	return to.(http.RoundTripper).RoundTrip(req)
}

// End ends the rig and the service. hermes must have left its file alone.
func (s *serviceRig) End() {
	s.T.Helper()
	if s.Service.Disowned() {
		s.T.Error("the service has lost its file")
	}
	if s.Relay != nil {
		s.Relay.Stop()
	}
	s.Halt()
	s.Service.Stop()
	for _, v := range s.Telegram.Violations() {
		s.T.Error("against Telegram's rules:", v)
	}
	s.Close()
}

// Ask makes the agent of the session ask, and waits until the phone shows it.
func (s *serviceRig) Ask(questions ...opencode2.Question) (form, call string) {
	s.T.Helper()
	form, call = s.Service.Ask(s.Dir, s.Session, questions...)
	s.Rig.Wait(2 * time.Second)
	return form, call
}

// WantAnswers fails the test unless the agent has received just these answers.
func (s *serviceRig) WantAnswers(call string, answers ...[]string) {
	s.T.Helper()
	got, ok := s.Service.Received(call)
	if !ok || !question.Answers(answers).Equal(got) {
		s.T.Errorf("the agent received %q, %v, want %q\n%s\nlog:\n%s", got, ok, answers, s.Telegram.History(rig.Ada), s.Log.String())
	}
}

// TapCard taps the first button that begins with the label, of whatever message has it.
func (s *serviceRig) TapCard(label string) {
	s.T.Helper()
	for _, m := range s.Telegram.Messages(rig.Ada) {
		for _, shown := range m.Labels() {
			if strings.HasPrefix(shown, label) {
				if _, err := s.Telegram.Tap(rig.Ada, rig.Ada, m.ID, shown); err != nil {
					s.T.Fatal(err)
				}
				s.Rig.Wait(3 * time.Second)
				return
			}
		}
	}
	s.T.Fatalf("no button %q:\n%s", label, s.Telegram.Transcript(rig.Ada))
}
