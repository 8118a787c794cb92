package rig

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
)

// ServicePassword is the password of the service. Nobody has configured it.
const ServicePassword = "service-canary-0123456789abcdefghijklmnopqr"

// Service is a rig beside the background service of OpenCode 2, which hermes finds by its file.
// The OpenCode 1.x of the rig runs too, and listens where Server is.
type Service struct {
	*Rig
	Service *opencode2.Simulator
	Dir     string
	Session string
	File    string                                   // that the service writes
	Relay   *Relay                                   // hermes link run beside it; nil: hermes follows the file itself
	Cut     atomic.Pointer[func(*http.Request) bool] // reports which requests of the Relay to hermes find no way; nil: none
	Lose    atomic.Pointer[func(*http.Request) bool] // reports of which of them the answer finds none; nil: none

	servers sync.Map                            // of URLs: http.RoundTripper
	runs    atomic.Pointer[opencode2.Simulator] // Service, for the daemon
}

// PlayService runs a test in a bubble with a service of this shape and a running daemon, which
// reaches nothing else unless alter says so.
func PlayService(t *testing.T, shape opencode2.Shape, alter func(*config.Config), test func(*Service)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := NewService(t, shape, alter)
		s.Rig.Start()
		s.Say("/start", 0)
		defer s.End()
		test(s)
	})
}

// PlayServiceOf is PlayService with a service of these options.
func PlayServiceOf(t *testing.T, o opencode2.Options, test func(*Service)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := NewService(t, o.Shape, nil)
		s.Service.Stop()
		o.Password, o.Registration = ServicePassword, s.File
		s.use(opencode2.New(o))
		s.Session = s.Service.NewSession(s.Dir, "fix checkout flow")
		s.Rig.Start()
		s.Say("/start", 0)
		defer s.End()
		test(s)
	})
}

// PlayServices is PlayService with each shape, and PlayLinkedService as well.
func PlayServices(t *testing.T, test func(*Service)) {
	t.Helper()
	for name, shape := range map[string]opencode2.Shape{"preview": opencode2.Preview, "release": opencode2.Release} {
		t.Run(name, func(t *testing.T) { PlayService(t, shape, nil, test) })
		t.Run(name+" over a link", func(t *testing.T) { PlayLinkedService(t, shape, nil, test) })
	}
}

// NewService is a service that runs, and a daemon that does not yet.
func NewService(t *testing.T, shape opencode2.Shape, alter func(*config.Config)) *Service {
	t.Helper()
	return NewServiceAt(t, shape, filepath.Join(t.TempDir(), "opencode", "service.json"), alter)
}

// NewServiceAt is NewService with a service that writes this file.
func NewServiceAt(t *testing.T, shape opencode2.Shape, file string, alter func(*config.Config)) *Service {
	t.Helper()
	r := NewStopped(t, opencode.VersionNew, func(c *config.Config) {
		c.OpenCodeURLs, c.OpenCodeService = nil, file
		if alter != nil {
			alter(c)
		}
	})
	s := &Service{Rig: r, Dir: "/home/ada/src/shop-api", File: file}
	s.use(opencode2.New(opencode2.Options{Shape: shape, Password: ServicePassword, Registration: file}))
	s.Session = s.Service.NewSession(s.Dir, "fix checkout flow")
	s.ServeAt(Server, r.Opencode.Transport())
	s.Wrap = func(out daemon.Outside) daemon.Outside {
		out.IsRunning = func(pid int) bool { return s.runs.Load().Running() && pid == s.runs.Load().PID() }
		out.Opencode = RoundTripper(s.dial)
		return out
	}
	return s
}

func (s *Service) use(service *opencode2.Simulator) {
	s.Service = service
	s.runs.Store(service)
	s.ServeAt(service.URL(), service.Transport())
}

// Update stops the service and starts one of another shape in its place, with the same data, address
// and password.
func (s *Service) Update(shape opencode2.Shape) {
	s.Service.Stop()
	s.use(s.Service.Beside(opencode2.Options{Shape: shape, Password: ServicePassword, Registration: s.File}))
}

// Move stops the service and starts it at another address, with the same data and password.
func (s *Service) Move(url string) { s.MoveWith(url, ServicePassword) }

// MoveWith is Move with another password.
func (s *Service) MoveWith(url, password string) {
	s.Service.Stop()
	s.servers.Delete(s.Service.URL())
	s.use(s.Service.Beside(opencode2.Options{URL: url, Password: password, Registration: s.File}))
}

// ServeAt has a server listen at a URL.
func (s *Service) ServeAt(url string, to http.RoundTripper) { s.servers.Store(url, to) }

func (s *Service) dial(req *http.Request) (*http.Response, error) {
	to, ok := s.servers.Load("http://" + req.URL.Host)
	if !ok {
		return nil, fmt.Errorf("dial %s: connection refused", req.URL.Host)
	}
	return to.(http.RoundTripper).RoundTrip(req)
}

// End ends the rig and the service. hermes must have left its file alone.
func (s *Service) End() {
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
func (s *Service) Ask(questions ...opencode2.Question) (form, call string) {
	s.T.Helper()
	form, call = s.Service.Ask(s.Dir, s.Session, questions...)
	s.Rig.Wait(2 * time.Second)
	return form, call
}

// WantAnswers fails the test unless the agent has received just these answers.
func (s *Service) WantAnswers(call string, answers ...[]string) {
	s.T.Helper()
	got, ok := s.Service.Received(call)
	if !ok || !question.Answers(answers).Equal(got) {
		s.T.Errorf("the agent received %q, %v, want %q\n%s\nlog:\n%s", got, ok, answers, s.Telegram.History(Ada), s.Log.String())
	}
}

// TapCard taps the first button that begins with the label, of whatever message has it.
func (s *Service) TapCard(label string) {
	s.T.Helper()
	for _, m := range s.Telegram.Messages(Ada) {
		for _, shown := range m.Labels() {
			if strings.HasPrefix(shown, label) {
				if _, err := s.Telegram.Tap(Ada, Ada, m.ID, shown); err != nil {
					s.T.Fatal(err)
				}
				s.Rig.Wait(3 * time.Second)
				return
			}
		}
	}
	s.T.Fatalf("no button %q:\n%s", label, s.Telegram.Transcript(Ada))
}
