package daemon_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/internal/simulate/opencode2sim"
	"hermes/internal/simulate/rig"
)

// Several questions of one call are one form, answered in one go: what is skipped is left out.
func TestService_ManyQuestions(t *testing.T) {
	playServices(t, func(s *serviceRig) {
		form, call := s.Ask(rig.DatabaseQuestion(), rig.LanguagesQuestion(), rig.ColourQuestion())
		for _, label := range []string{"1.", "☐ 1.", "☐ 3.", "Next"} {
			s.Tap(label)
			s.Wait(2 * time.Second)
		}
		s.Say("The Bridge", s.Last().ID)
		s.Tap("✅ Send")
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
			playServices(t, func(s *serviceRig) {
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

// What happens at OpenCode itself closes the card.
func TestService_EndsAtOpenCode(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(*serviceRig, string)
		want string
	}{
		"answered":  {func(s *serviceRig, form string) { s.Service.AnswerAtTUI(form, [][]string{{"SQLite"}}) }, "SQLite"},
		"dismissed": {func(s *serviceRig, form string) { s.Service.RejectAtTUI(form) }, "Dismissed in OpenCode"}, // of the preview the reason of the turn's end tells
		"interrupt": {func(s *serviceRig, _ string) { s.Service.Abort(s.Session) }, "the session was stopped"},
		"delete":    {func(s *serviceRig, _ string) { s.Service.Delete(s.Session) }, "the session was deleted"},
	} {
		t.Run(name, func(t *testing.T) {
			playServices(t, func(s *serviceRig) {
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

// A reload cancels and rejects what waits, and so does a stop; neither is a decision of a person. Where the agent goes on without
// an answer, the cards say so: after a reload, and after a restart of the service.
func TestService_Unloaded(t *testing.T) {
	for name, unload := range map[string]func(*serviceRig){
		"reload":       func(s *serviceRig) { s.Service.Reload() },
		"restart":      func(s *serviceRig) { s.Service.Restart() },
		"stop":         func(s *serviceRig) { s.Service.Stop() },
		"slow restart": func(s *serviceRig) { s.Service.Stop(); s.Wait(5 * time.Second); s.Service.Start() },
	} {
		for _, unsure := range []opencode2sim.Unsure{{}, {ShutdownFirst: true, StopTells: true}, {StopTells: true}} {
			for _, lag := range []time.Duration{0, 5 * time.Second} {
				t.Run(fmt.Sprintf("%s, %v, %+v", name, lag, unsure), func(t *testing.T) {
					playServiceOf(t, opencode2sim.Options{Shape: opencode2sim.Release, Unsure: unsure, Lag: lag}, func(s *serviceRig) {
						s.Service.AskBash(s.Dir, s.Session, "rm -rf build")
						s.Wait(2 * time.Second)
						s.Ask(rig.DatabaseQuestion())
						unload(s)
						s.Wait(30 * time.Second)
						want := "OpenCode was restarted or reloaded, and the agent went on"
						if name == "stop" {
							want = "OpenCode was restarted."
						}
						if text := s.Telegram.Transcript(rig.Ada); strings.Count(text, want) != 2 {
							t.Errorf("the chat shows\n%s", text)
						}
					})
				})
			}
		}
	}
}

// afterRestart are the ways in which a service comes again.
func afterRestart() map[string]func(*serviceRig) {
	return map[string]func(*serviceRig){
		"restarted": func(s *serviceRig) { s.Service.Restart() },
		"stopped for a while": func(s *serviceRig) {
			s.Service.Stop()
			s.Wait(5 * time.Second)
			s.Service.Start()
		},
		"killed": func(s *serviceRig) {
			s.Service.Kill()
			s.Wait(5 * time.Second)
			s.Service.Start()
		},
		"restarted while hermes is away": func(s *serviceRig) {
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
			playServices(t, func(s *serviceRig) {
				_, call := s.Ask(rig.DatabaseQuestion())
				restart(s)
				s.Wait(20 * time.Second)
				s.WantScreen("OpenCode was restarted")
				s.Say("2", s.Last().ID)
				s.Wait(2 * time.Second)
				s.Tap(rig.LateButton)
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

// What was answered at OpenCode while hermes was away is not told as lost, though OpenCode was
// restarted since.
func TestService_AnsweredBeforeTheRestart(t *testing.T) {
	playServices(t, func(s *serviceRig) {
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
