package daemon_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/daemon"
	"hermes/internal/sessions"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/simulate/testenv"
	"hermes/telegram/words"
)

// What is offered after a start, and that one with driving turned off takes it away.
func TestMenu_AfterAStart(t *testing.T) {
	rig.Driving(t, opencode.VersionNew, nil, func(c rig.Talk) {
		c.Wait(daemon.MenuDelay)
		c.WantMenu("auto")
		sets := c.Telegram.Count("setMyCommands")
		c.Halt()
		c.Start()
		c.Wait(daemon.MenuDelay)
		if n := c.Telegram.Count("setMyCommands"); n != sets {
			t.Errorf("%d menus were set again, and none has changed", n-sets)
		}
		c.Halt()
		c.Config.Remote = false
		c.Start()
		c.Wait(daemon.MenuDelay)
		c.WantMenu("without-remote")
		c.Halt()
		c.Config.Remote, c.Config.Lang = true, "zh"
		c.Start()
		c.Wait(daemon.MenuDelay)
		c.WantMenu("zh")
	})
}

// The menu has a text for every command, in every language.
func TestMenu_EveryCommandIsDescribed(t *testing.T) {
	for _, lang := range words.Languages() {
		for _, name := range append(sessions.Commands(), "start", "link") {
			if words.For(lang).Menu[name] == "" {
				t.Errorf("/%s has no text in the language %s", name, lang)
			}
		}
	}
}

// Rules that let nobody drive take the commands away, and others bring them back.
func TestMenu_FollowsTheRules(t *testing.T) {
	drive := "\n[remote]\nroles = [\"lead\"]\n"
	rules := testenv.WriteFile(t, "rules.toml", rig.TeamRules)
	rig.Driving(t, opencode.VersionNew, func(c *config.Config) { c.Rules = rules }, func(c rig.Talk) {
		for _, step := range []struct {
			text string
			want int
		}{{rig.TeamRules, 1}, {rig.TeamRules + drive, len(sessions.Commands()) + 1}, {rig.TeamRules, 1}} {
			if err := os.WriteFile(rules, []byte(step.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if code, body := c.Request("POST", "/v1/reload", ""); code != 200 {
				t.Fatal(code, body)
			}
			c.Wait(daemon.MenuDelay)
			if got := c.Telegram.Commands("all_private_chats"); len(got) != step.want {
				t.Errorf("offered: %v, want %d", got, step.want)
			}
		}
	})
}

// A menu that Telegram does not take delays nothing, and is set when Telegram says so.
func TestMenu_Fails(t *testing.T) {
	rig.Driving(t, opencode.VersionNew, nil, func(c rig.Talk) {
		c.Halt()
		wait := 600
		c.Telegram.SetFault(func(call telegram.Call) telegram.Fault {
			if strings.HasSuffix(call.Method, "MyCommands") && wait > 0 {
				return telegram.Fault{Kind: telegram.Refuse, RetryAfter: wait}
			}
			return telegram.Fault{}
		})
		c.Config.Remote = false
		calls := c.Telegram.Count("getMyCommands")
		c.Start()
		c.Ask(rig.DatabaseQuestion())
		c.WantScreen("Which database")
		wait = 0
		c.Wait(9 * time.Minute)
		if n := c.Telegram.Count("getMyCommands") - calls; n != 1 {
			t.Errorf("Telegram said to wait, and was asked %d times", n)
		}
		c.Wait(2 * time.Minute)
		c.WantMenu("without-remote")
		if n := strings.Count(c.Log.String(), "the menu of commands was not set"); n != 1 {
			t.Errorf("logged %d times:\n%s", n, c.Log.String())
		}
	})
}
