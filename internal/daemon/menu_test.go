package daemon_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"hermes/internal/config"
	"hermes/internal/daemon"
	"hermes/internal/sessions"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

// What is offered after a start, and that one with driving turned off takes it away.
func TestMenu_AfterAStart(t *testing.T) {
	rig.Driving(t, opencode.VersionNew, nil, func(c rig.Talk) {
		c.Wait(daemon.MenuDelay)
		wantMenu(c.Rig, "auto")
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
		wantMenu(c.Rig, "without-remote")
		c.Halt()
		c.Config.Remote, c.Config.Lang = true, "zh"
		c.Start()
		c.Wait(daemon.MenuDelay)
		wantMenu(c.Rig, "zh")
	})
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

// menus are all that Telegram's clients offer for a slash.
func menus(r *rig.Rig) string {
	var b strings.Builder
	for _, scope := range []string{"default", "all_private_chats", "all_group_chats"} {
		for _, lang := range []string{"", "zh"} {
			fmt.Fprintf(&b, "%s %s\n", scope, lang)
			for _, c := range r.Telegram.CommandsIn(scope, lang) {
				fmt.Fprintf(&b, "  /%s  %s\n", c.Command, c.Description)
			}
		}
	}
	return b.String()
}

// wantMenu holds the menus of commands against a golden file.
func wantMenu(r *rig.Rig, name string) {
	r.T.Helper()
	rig.Golden(r.T, "menu-"+name+".txt", menus(r))
}
