package daemon_test

import (
	"strings"
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
)

// In a group only what is clearly for hermes is taken: its commands, and replies.
func TestSessions_InAGroup(t *testing.T) {
	const team = -1001234567890
	rig.Driving(t, opencode.VersionNew, withGroup(team), func(c rig.Talk) {
		c.Telegram.AddChat(telegram.Chat{ID: team, Type: telegram.Supergroup, Title: "Team", Members: []int64{rig.Ada, rig.Bob, rig.Eve}, BotAdmin: true})
		c.SayIn(rig.Ada, team, "/use@hermes_bot fix checkout", 0)
		c.WantScreenIn(team, "What you write here goes to this session.")
		use := c.LastIn(team).ID
		said := len(c.Telegram.Messages(team))
		for _, text := range []string{"hello everybody", "/deploy now", "/etc/hosts", "/sessions@other_bot"} {
			c.SayIn(rig.Bob, team, text, 0)
		}
		c.SayIn(rig.Eve, team, "/abort", 0)
		c.SayIn(rig.Eve, team, "do something bad", use)
		if n := len(c.Telegram.Messages(team)); n != said+6 {
			t.Errorf("hermes answered what was not for it:\n%s", c.Telegram.Transcript(team))
		}
		c.SayIn(rig.Bob, team, "Now the tests.", use)
		c.Wait(20 * time.Second)
		c.SayIn(rig.Bob, team, "/last@other_bot is broken", use)
		c.Wait(20 * time.Second)
		c.WantPrompts("Now the tests.", "/last@other_bot is broken")
		if !strings.Contains(c.Telegram.Transcript(team), "You said: Now the tests.") {
			t.Errorf("the end was not told:\n%s", c.Telegram.Transcript(team))
		}
	})
}
