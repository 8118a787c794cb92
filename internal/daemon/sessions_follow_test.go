package daemon_test

import (
	"strings"
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
)

// A stop of hermes in the midst of a turn leaves one live message: it goes on where the
// turn does, and goes where that is over.
func TestSessions_RestartWhileASessionIsFollowed(t *testing.T) {
	for _, ended := range []bool{false, true} {
		rig.Driving(t, opencode.VersionNew, nil, func(c rig.Talk) {
			c.UseSession()
			c.Say("/follow", 0)
			c.Opencode.Speak(c.Session, "I look.")
			c.Wait(5 * time.Second)
			id := c.LiveIn(rig.Ada).ID
			c.Halt()
			c.Opencode.Speak(c.Session, " I found it.")
			if ended {
				c.Opencode.Say(c.Session, "")
			}
			c.Start()
			c.Wait(2 * time.Minute)
			if !ended {
				c.Opencode.Speak(c.Session, " More.")
				c.Wait(5 * time.Second)
				c.Opencode.Speak(c.Session, "")
			}
			live := c.LiveIn(rig.Ada)
			if live.ID != id || live.Deleted != ended || fromBot(c.Telegram.Messages(rig.Ada)) > 5 {
				t.Errorf("ended %v:\n%s", ended, c.Telegram.History(rig.Ada))
			}
			if !ended {
				c.Opencode.Say(c.Session, " Done.")
				c.Wait(20 * time.Second)
			}
			if last := c.Last().Text; !c.LiveIn(rig.Ada).Deleted || !strings.Contains(last, "I look. I found it.") {
				t.Errorf("ended %v: at the end\n%s", ended, c.Telegram.History(rig.Ada))
			}
		})
	}
}
