package daemon_test

import (
	"strings"
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
)

// A text that may be an answer or a command outlives a restart: it is asked about again,
// and either message settles it, once.
func TestSessions_DoubtOutlivesARestart(t *testing.T) {
	rig.Driving(t, opencode.VersionNew, nil, func(c rig.Talk) {
		_, call := c.Ask(rig.ProjectNameQuestion())
		c.Say("/new", 0)
		first := c.Last().ID
		c.Halt()
		c.Start()
		c.Wait(5 * time.Second)
		second := c.Last().ID
		if first == second {
			t.Fatalf("it was not asked about again:\n%s", c.Telegram.Transcript(rig.Ada))
		}
		c.WantNoAnswer(call)
		for _, message := range []int{first, second} {
			if _, err := c.Telegram.Tap(rig.Ada, rig.Ada, message, "✏️ An answer"); err != nil {
				t.Fatal(err)
			}
			c.Wait(3 * time.Second)
		}
		c.WantAnswers(call, []string{"/new"})
		if n := strings.Count(c.Telegram.Transcript(rig.Ada), "A new session"); n != 0 {
			t.Errorf("a session was made:\n%s", c.Telegram.Transcript(rig.Ada))
		}
	})
}
