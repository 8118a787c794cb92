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
			rig.PlayServices(t, func(s *rig.Service) {
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

// A tap that comes when the form has been answered at OpenCode, and hermes could not hear of it,
// changes nothing, and the card says what the agent received.
func TestService_LateTap(t *testing.T) {
	rig.PlayServices(t, func(s *rig.Service) {
		form, call := s.Ask(rig.DatabaseQuestion())
		s.Service.SetFault(func(req *http.Request) inprocess.Fault {
			if req.URL.Path == "/api/event" {
				return inprocess.FailBeforeEffect
			}
			return inprocess.NoFault
		})
		s.Service.CutStreams()
		s.Service.AnswerAtTUI(form, [][]string{{"SQLite"}})
		s.Tap("2.")
		s.Wait(5 * time.Second)
		s.Service.SetFault(nil)
		s.Wait(time.Minute)
		s.WantAnswers(call, []string{"SQLite"})
		s.WantScreen("→ SQLite · answered in OpenCode")
		if n := s.Service.Attempts(form); n > 1 {
			t.Errorf("%d attempts", n)
		}
	})
}

// The stream is cut again and again, and answers come late: everything is told and answered once.
func TestService_StreamsThatBreak(t *testing.T) {
	rig.PlayServices(t, func(s *rig.Service) {
		for range 5 {
			s.Service.CutStreams()
			form, call := s.Service.Ask(s.Dir, "", rig.DatabaseQuestion())
			s.Wait(5 * time.Second)
			s.Service.CutStreams()
			s.Tap("1.")
			s.Service.CutStreams()
			s.Wait(20 * time.Second)
			s.WantAnswers(call, []string{"SQLite"})
			s.WantScreen("→ SQLite")
			if n := s.Service.Replies(form); n != 1 {
				t.Errorf("%d replies took effect", n)
			}
		}
		if n := strings.Count(s.Telegram.Transcript(rig.Ada), "Which database"); n != 5 {
			t.Errorf("%d cards for 5 questions", n)
		}
	})
}

// The service ends while an answer is on its way: what is told is what is known.
func TestService_EndsDuringTheReply(t *testing.T) {
	rig.PlayServices(t, func(s *rig.Service) {
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
