package daemon_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/simulate/rig"
)

// An OpenCode 2 asks through its service, and gets the answer of a tap.
func TestService_TapReachesTheAgent(t *testing.T) {
	rig.PlayServices(t, func(s *rig.Service) {
		_, call := s.Ask(rig.DatabaseQuestion())
		s.WantScreen("Which database should this feature use?", "shop-api")
		s.Tap("2.")
		s.Wait(2 * time.Second)
		s.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
		s.WantScreen("PostgreSQL (Recommended)", "Ada")
	})
}

// Several questions of one call are one form, answered in one go: what is skipped is left out.
func TestService_ManyQuestions(t *testing.T) {
	rig.PlayServices(t, func(s *rig.Service) {
		form, call := s.Ask(rig.DatabaseQuestion(), rig.LanguagesQuestion(), rig.ColourQuestion())
		for _, label := range []string{"1.", "☐ 1.", "☐ 3.", "Next"} {
			s.Tap(label)
			s.Wait(2 * time.Second)
		}
		s.Say("The Bridge", s.Last().ID)
		s.Tap(rig.SendButton)
		s.Wait(2 * time.Second)
		s.WantAnswers(call, []string{"SQLite"}, []string{"Go", "Zig"}, []string{"The Bridge"})
		if n := s.Service.Attempts(form); n != 1 {
			t.Errorf("%d replies", n)
		}
	})
}

func TestService_Permissions(t *testing.T) {
	for label, want := range map[string]string{"✅ Allow once": "once", "🚫 Reject": ""} {
		t.Run(label, func(t *testing.T) {
			rig.PlayServices(t, func(s *rig.Service) {
				_, call := s.Service.AskBash(s.Dir, s.Session, "rm -rf build")
				s.Wait(2 * time.Second)
				s.WantScreen("rm -rf build")
				s.Tap(label)
				s.Wait(5 * time.Second)
				if s.Service.Ran(call) != (want != "") {
					t.Errorf("the command ran: %v", s.Service.Ran(call))
				}
				if want != "" {
					s.WantAnswers(call, []string{want})
					s.WantScreen("Allowed once by Ada")
				} else {
					s.WantScreen("Rejected by Ada")
				}
			})
		})
	}
}

// What was dismissed on the phone ends the turn, and is not told as a stop.
func TestService_Dismissal(t *testing.T) {
	rig.PlayServices(t, func(s *rig.Service) {
		form, call := s.Ask(rig.DatabaseQuestion())
		s.Dismiss()
		s.Wait(5 * time.Second)
		s.WantScreen("Dismissed by Ada")
		if _, ok := s.Service.Received(call); ok || s.Service.Replies(form) != 1 || s.Service.Busy(s.Session) {
			t.Error("the form was not dismissed")
		}
	})
}

// What happens at OpenCode itself closes the card.
func TestService_EndsAtOpenCode(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(*rig.Service, string)
		want string
	}{
		"answered":  {func(s *rig.Service, form string) { s.Service.AnswerAtTUI(form, [][]string{{"SQLite"}}) }, "SQLite"},
		"dismissed": {func(s *rig.Service, form string) { s.Service.RejectAtTUI(form) }, "Database · shop-api"}, // the preview does not tell it from a stop
		"interrupt": {func(s *rig.Service, _ string) { s.Service.Abort(s.Session) }, "the session was stopped"},
		"delete":    {func(s *rig.Service, _ string) { s.Service.Delete(s.Session) }, "the session was deleted"},
	} {
		t.Run(name, func(t *testing.T) {
			rig.PlayServices(t, func(s *rig.Service) {
				form, _ := s.Ask(rig.DatabaseQuestion())
				c.end(s, form)
				s.Wait(3 * time.Second)
				s.WantScreen(c.want)
				if m := s.Last(); strings.Contains(strings.Join(m.Labels(), " "), "1.") {
					t.Errorf("the card is open:\n%s", s.Telegram.Transcript(rig.Ada))
				}
			})
		})
	}
}

// OpenCode 2 says nothing of a permission that a stop takes away; the end of the turn does.
func TestService_PermissionEndsAtOpenCode(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(*rig.Service, string)
		want string
	}{
		"allowed":  {func(s *rig.Service, id string) { s.Service.DecideAtTUI(id, "once") }, "Allowed once in OpenCode"},
		"rejected": {func(s *rig.Service, id string) { s.Service.DecideAtTUI(id, "reject") }, "Rejected in OpenCode"},
		"stopped":  {func(s *rig.Service, _ string) { s.Service.Abort(s.Session) }, "Stopped."},
		"deleted":  {func(s *rig.Service, _ string) { s.Service.Delete(s.Session) }, "the session was deleted"},
		"restart":  {func(s *rig.Service, _ string) { s.Service.Restart() }, "OpenCode was restarted"},
	} {
		t.Run(name, func(t *testing.T) {
			rig.PlayServices(t, func(s *rig.Service) {
				request, call := s.Service.AskBash(s.Dir, s.Session, "rm -rf build")
				s.Wait(2 * time.Second)
				s.WantScreen("rm -rf build")
				c.end(s, request)
				s.Wait(20 * time.Second)
				s.WantScreen(c.want)
				if s.Service.Ran(call) != (name == "allowed") {
					t.Errorf("the command ran: %v", s.Service.Ran(call))
				}
				if labels := s.Last().Labels(); len(labels) > 0 {
					t.Errorf("the card is open: %q", labels)
				}
			})
		})
	}
}

// afterRestart are the ways in which a service comes again.
func afterRestart() map[string]func(*rig.Service) {
	return map[string]func(*rig.Service){
		"restarted": func(s *rig.Service) { s.Service.Restart() },
		"stopped for a while": func(s *rig.Service) {
			s.Service.Stop()
			s.Wait(5 * time.Second)
			s.Service.Start()
		},
		"killed": func(s *rig.Service) {
			s.Service.Kill()
			s.Wait(5 * time.Second)
			s.Service.Start()
		},
		"restarted while hermes is away": func(s *rig.Service) {
			s.Halt()
			s.Service.Restart()
			s.Wait(time.Minute)
			s.Start()
		},
	}
}

// A restart loses what is open, and the agent goes on without the answer: the card says so, and
// the answer can be sent as a prompt.
func TestService_Restart(t *testing.T) {
	for name, restart := range afterRestart() {
		t.Run(name, func(t *testing.T) {
			rig.PlayServices(t, func(s *rig.Service) {
				_, call := s.Ask(rig.DatabaseQuestion())
				restart(s)
				s.Wait(20 * time.Second)
				s.WantScreen("OpenCode was restarted")
				s.Tap(rig.LateButton)
				s.Wait(2 * time.Second)
				s.Tap("2.")
				s.Wait(20 * time.Second)
				prompts := s.Service.Prompts()
				const want = "Your question was: Which database should this feature use?\nMy answer: PostgreSQL (Recommended)"
				if len(prompts) != 1 || prompts[0].Session != s.Session || prompts[0].Text != want {
					t.Errorf("the session was told %+v\n%s\nlog:\n%s", prompts, s.Telegram.History(rig.Ada), s.Log.String())
				}
				if got, ok := s.Service.Received(call); ok {
					t.Errorf("the call was answered with %q", got)
				}
			})
		})
	}
}

// After a restart new questions are asked and answered as before.
func TestService_AsksAgainAfterARestart(t *testing.T) {
	for name, restart := range afterRestart() {
		t.Run(name, func(t *testing.T) {
			rig.PlayServices(t, func(s *rig.Service) {
				restart(s)
				s.Wait(20 * time.Second)
				_, call := s.Ask(rig.DatabaseQuestion())
				s.Tap("1.")
				s.Wait(2 * time.Second)
				s.WantAnswers(call, []string{"SQLite"})
			})
		})
	}
}

// What was answered at OpenCode while hermes was away is not told as lost, though OpenCode was
// restarted since.
func TestService_AnsweredBeforeTheRestart(t *testing.T) {
	rig.PlayServices(t, func(s *rig.Service) {
		form, _ := s.Ask(rig.DatabaseQuestion())
		s.Halt()
		s.Service.AnswerAtTUI(form, [][]string{{"SQLite"}})
		s.Service.Restart()
		s.Wait(time.Minute)
		s.Start()
		s.Wait(20 * time.Second)
		s.WantScreen("→ SQLite · answered in OpenCode")
	})
}

// A service that stays away has taken its questions with it.
func TestService_StaysAway(t *testing.T) {
	for name, end := range map[string]func(*rig.Service){
		"stopped": func(s *rig.Service) { s.Service.Stop() },
		"killed":  func(s *rig.Service) { s.Service.Kill() },
	} {
		t.Run(name, func(t *testing.T) {
			rig.PlayServices(t, func(s *rig.Service) {
				s.Ask(rig.DatabaseQuestion())
				end(s)
				s.Wait(8 * time.Second)
				if m := s.Last(); strings.Contains(m.Text, "restarted") {
					t.Errorf("given up already:\n%s", m.Text)
				}
				s.Wait(15 * time.Second)
				s.WantScreen("OpenCode was restarted")
				s.Service.Start()
				s.Wait(20 * time.Second)
				s.WantScreen("OpenCode was restarted")
			})
		})
	}
}
