package daemon_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hermes/internal/simulate/inprocess"
	"hermes/internal/simulate/rig"
)

// A reply of which the answer is lost, or that does not arrive at first, is given once, and the
// card tells whose it was.
func TestService_RepliesThatFail(t *testing.T) {
	for name, fault := range map[string]inprocess.Fault{
		"before": inprocess.FailBeforeEffect, "after": inprocess.FailAfterEffect, "hangs": inprocess.Hang,
	} {
		t.Run(name, func(t *testing.T) {
			playServices(t, func(s *serviceRig) {
				var failed atomic.Int32
				s.Service.SetFault(func(req *http.Request) inprocess.Fault {
					if strings.HasSuffix(req.URL.Path, "/reply") && failed.Add(1) == 1 {
						return fault
					}
					return inprocess.NoFault
				})
				form, call := s.Ask(rig.DatabaseQuestion())
				s.Tap("2.")
				s.Wait(time.Minute)
				s.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
				s.WantScreen("→ PostgreSQL (Recommended)", "Ada")
				if n := s.Service.Replies(form); n != 1 {
					t.Errorf("%d replies took effect", n)
				}
			})
		})
	}
}

// The service ends while an answer is on its way: what is told is what is known.
func TestService_EndsDuringTheReply(t *testing.T) {
	playServices(t, func(s *serviceRig) {
		_, call := s.Ask(rig.DatabaseQuestion())
		s.Service.SetFault(func(req *http.Request) inprocess.Fault {
			if strings.HasSuffix(req.URL.Path, "/reply") {
				go s.Service.Kill()
				return inprocess.Hang
			}
			return inprocess.NoFault
		})
		s.Tap("1.")
		s.Wait(2 * time.Second)
		s.Service.SetFault(nil)
		s.Service.Start()
		s.Wait(time.Minute)
		if _, ok := s.Service.Received(call); ok {
			t.Fatal("it was received")
		}
		if m := s.Last(); strings.Contains(m.Text, "→ SQLite\nAda") || strings.Contains(m.Text, "✅") {
			t.Errorf("the card says what is not known:\n%s", m.Text)
		}
	})
}
