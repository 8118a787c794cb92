package main

import (
	"strings"
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

// liveIn is the live message of a chat.
func (c talk) liveIn(chat int64) telegram.Message {
	c.t.Helper()
	for _, m := range c.telegram.Messages(chat) {
		if m.FromBot && m.Silent && strings.HasPrefix(m.Text, "⚙️") {
			return m
		}
	}
	c.t.Fatalf("no live message in %d:\n%s", chat, c.telegram.Transcript(chat))
	return telegram.Message{}
}

// A stop of hermes in the midst of a turn leaves one live message: it goes on where the
// turn does, and goes where that is over.
func TestARestartWhileASessionIsFollowed(t *testing.T) {
	for _, ended := range []bool{false, true} {
		driving(t, opencode.VersionNew, nil, func(c talk) {
			c.useSession()
			c.say("/follow", 0)
			c.opencode.Speak(c.session, "I look.")
			c.wait(5 * time.Second)
			id := c.liveIn(ada).ID
			c.halt()
			c.opencode.Speak(c.session, " I found it.")
			if ended {
				c.opencode.Say(c.session, "")
			}
			c.start()
			c.wait(2 * time.Minute)
			if !ended {
				c.opencode.Speak(c.session, " More.")
				c.wait(5 * time.Second)
				c.opencode.Speak(c.session, "")
			}
			live := c.liveIn(ada)
			if live.ID != id || live.Deleted != ended || fromBot(c.telegram.Messages(ada)) > 5 {
				t.Errorf("ended %v:\n%s", ended, c.telegram.History(ada))
			}
			if !ended {
				c.opencode.Say(c.session, " Done.")
				c.wait(20 * time.Second)
			}
			if last := c.last().Text; !c.liveIn(ada).Deleted || !strings.Contains(last, "I look. I found it.") {
				t.Errorf("ended %v: at the end\n%s", ended, c.telegram.History(ada))
			}
		})
	}
}
