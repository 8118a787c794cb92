package daemon_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
)

// saidTalks are asks behind words of the agent.
func saidTalks() map[string]func(rig.Talk) {
	return map[string]func(rig.Talk){
		"question": func(c rig.Talk) {
			c.Opencode.Speak(c.Session, "The tests need a database. <b>SQLite</b> has no server,\nPostgreSQL is what production uses.")
			c.Ask(rig.DatabaseQuestion())
			c.Tap("2.")
			c.Wait(2 * time.Second)
		},
		"permission": func(c rig.Talk) {
			c.Opencode.Speak(c.Session, "I build it anew.")
			c.Allow(rig.BashPermission("rm -rf build && make"))
			c.Press("✅ Allow once", "✅ 允许一次")
			c.Wait(2 * time.Second)
		},
		"long": func(c rig.Talk) {
			c.Opencode.Speak(c.Session, strings.Repeat("It goes on and on. ", 200)+"And so I ask.")
			c.Ask(rig.DatabaseQuestion())
		},
	}
}

// What the agent wrote before it asked is below what it asks, folded, until that is answered.
func TestSaid(t *testing.T) { inLanguages(t, "said-", saidTalks(), nil, rig.Talk.TranscriptOf) }

// Nothing of it comes to a chat, or into the database, where that is not wanted.
func TestSaid_Off(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := rig.DrivingRig(t, opencode.VersionNew, func(c *config.Config) { c.Context = false })
		defer c.End()
		c.Opencode.Speak(c.Session, "The tests need a database.")
		c.Ask(rig.DatabaseQuestion())
		if text := c.Telegram.Transcript(rig.Ada); strings.Contains(text, "need a database") {
			t.Error(text)
		}
		threads, err := c.Daemon.Store.Threads()
		if err != nil || len(threads) != 1 || threads[0].Said != "" {
			t.Errorf("the store has %+v, %v", threads, err)
		}
	})
}
