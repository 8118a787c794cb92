package daemon_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/simulate/opencode2sim"
	"hermes/internal/simulate/rig"
)

// runAnswer is how `opencode run` settles by itself what the agent asks, within 20 to 70 ms (capture
// 11b of 2.0): nobody at a phone is to hear of it, and whoever has seen it reads what became of it.
type runAnswer struct {
	ask              func(*rig.Service) (id string)
	settle           func(*rig.Service, string)
	preview, release string // how the card ends if it was shown all the same
}

func runAnswers() map[string]runAnswer {
	command := func(s *rig.Service) string {
		id, _ := s.Service.AskBash(s.Dir, s.Session, "rm -rf build")
		return id
	}
	question := func(s *rig.Service) string {
		id, _ := s.Service.Ask(s.Dir, s.Session, rig.DatabaseQuestion())
		return id
	}
	return map[string]runAnswer{
		"run --auto allows": {command, func(s *rig.Service, id string) { s.Service.DecideAtTUI(id, "once") }, "Allowed once in OpenCode", "Allowed once in OpenCode"},
		"run rejects, and interrupts": {command, func(s *rig.Service, id string) {
			s.Service.DecideAtTUI(id, "reject")
			s.Service.Abort(s.Session)
		}, "Rejected in OpenCode", "Rejected in OpenCode"},
		"run cancels a question": {question, func(s *rig.Service, id string) { s.Service.RejectAtTUI(id) }, "the session was stopped", "Dismissed in OpenCode"},
	}
}

// playRun plays one answer of run with each shape and notice delay.
func playRun(t *testing.T, delay time.Duration, test func(s *rig.Service, a runAnswer, end string)) {
	for name, a := range runAnswers() {
		for shape, end := range map[opencode2sim.Shape]string{opencode2sim.Preview: a.preview, opencode2sim.Release: a.release} {
			t.Run(name+", "+map[opencode2sim.Shape]string{opencode2sim.Preview: "preview", opencode2sim.Release: "release"}[shape], func(t *testing.T) {
				rig.PlayService(t, shape, func(c *config.Config) { c.NotifyDelay = delay }, func(s *rig.Service) { test(s, a, end) })
			})
		}
	}
}

// With the notice delay that is configured by default, nothing is sent: no message, no edit, no removal.
func TestService_RunIsSilent(t *testing.T) {
	playRun(t, 800*time.Millisecond, func(s *rig.Service, a runAnswer, _ string) {
		before := s.Telegram.History(rig.Ada)
		for range 3 {
			id := a.ask(s)
			time.Sleep(50 * time.Millisecond)
			a.settle(s, id)
			s.Wait(200 * time.Millisecond)
		}
		s.Wait(time.Minute)
		if after := s.Telegram.History(rig.Ada); after != before {
			s.T.Errorf("the phone was told:\n%s", strings.TrimPrefix(after, before))
		}
		if text := s.Telegram.Transcript(rig.Ada); strings.Contains(text, "rm -rf") {
			s.T.Errorf("the chat shows\n%s", text)
		}
	})
}

// Without a delay the card is there by then, and ends in the truth.
func TestService_RunEndsInTheTruth(t *testing.T) {
	playRun(t, 0, func(s *rig.Service, a runAnswer, end string) {
		id := a.ask(s)
		time.Sleep(50 * time.Millisecond)
		a.settle(s, id)
		s.Wait(20 * time.Second)
		s.WantScreen(end)
		if labels := s.Last().Labels(); len(labels) > 0 && !strings.HasPrefix(labels[0], rig.LateButton) {
			s.T.Errorf("the card is open: %q", labels)
		}
	})
}
