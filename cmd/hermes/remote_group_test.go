package main

import (
	"strings"
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

// In a group only what is clearly for hermes is taken: its commands, and replies.
func TestDrivingInAGroup(t *testing.T) {
	const team = -1001234567890
	driving(t, opencode.VersionNew, withGroup(team), func(c talk) {
		c.telegram.AddChat(telegram.Chat{ID: team, Type: telegram.Supergroup, Title: "Team", Members: []int64{ada, bob, eve}, BotAdmin: true})
		c.sayIn(ada, team, "/use@hermes_bot fix checkout", 0)
		c.screenIn(team, "What you write here goes to this session.")
		use := c.lastIn(team).ID
		said := len(c.telegram.Messages(team))
		for _, text := range []string{"hello everybody", "/deploy now", "/etc/hosts", "/sessions@other_bot"} {
			c.sayIn(bob, team, text, 0)
		}
		c.sayIn(eve, team, "/abort", 0)
		c.sayIn(eve, team, "do something bad", use)
		if n := len(c.telegram.Messages(team)); n != said+6 {
			t.Errorf("hermes answered what was not for it:\n%s", c.telegram.Transcript(team))
		}
		c.sayIn(bob, team, "Now the tests.", use)
		c.wait(20 * time.Second)
		c.sayIn(bob, team, "/last@other_bot is broken", use)
		c.wait(20 * time.Second)
		c.wantPrompts("Now the tests.", "/last@other_bot is broken")
		if !strings.Contains(c.telegram.Transcript(team), "You said: Now the tests.") {
			t.Errorf("the end was not told:\n%s", c.telegram.Transcript(team))
		}
	})
}
