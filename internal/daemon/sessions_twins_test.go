package daemon_test

import (
	"strings"
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
)

// Sessions of one name are told apart by the ends of their ids and by what they said last, and one of another name has neither.
func TestSessions_OfOneName(t *testing.T) {
	rig.Driving(t, opencode.VersionNew, nil, func(c rig.Talk) {
		other, third := c.Opencode.NewSession(c.Dir, "fix checkout flow"), c.Opencode.NewSession(c.Dir, "add an index")
		for id, text := range map[string]string{c.Session: "The cart is empty again.", other: "The till rings.", third: "There is an index."} {
			c.Opencode.Speak(id, "So: ")
			c.Wait(time.Second)
			c.Opencode.Say(id, text)
			c.Wait(10 * time.Second)
		}
		c.Say("/sessions", 0)
		end := func(id string) string { return "…" + id[len(id)-4:] }
		c.WantScreen(end(c.Session), end(other), "“So: The cart is empty again.”", "“So: The till rings.”")
		if shown := c.Last().Text; strings.Contains(shown, "There is an index.") || strings.Contains(shown, end(third)) {
			t.Errorf("it shows\n%s", shown)
		}
	})
}
