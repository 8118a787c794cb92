package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"hermes/internal/sessions"
	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

// menus are all that Telegram's clients offer for a slash.
func (r *rig) menus() string {
	var b strings.Builder
	for _, scope := range []string{"default", "all_private_chats", "all_group_chats"} {
		for _, lang := range []string{"", "zh"} {
			fmt.Fprintf(&b, "%s %s\n", scope, lang)
			for _, c := range r.telegram.CommandsIn(scope, lang) {
				fmt.Fprintf(&b, "  /%s  %s\n", c.Command, c.Description)
			}
		}
	}
	return b.String()
}

func (r *rig) wantMenu(name string) {
	r.t.Helper()
	golden(r.t, "menu-"+name+".txt", r.menus())
}

// What is offered after a start, and that one with driving turned off takes it away.
func TestTheMenuAfterAStart(t *testing.T) {
	driving(t, opencode.VersionNew, nil, func(c talk) {
		c.wait(offerAfter)
		c.wantMenu("auto")
		sets := c.telegram.Count("setMyCommands")
		c.halt()
		c.start()
		c.wait(offerAfter)
		if n := c.telegram.Count("setMyCommands"); n != sets {
			t.Errorf("%d menus were set again, and none has changed", n-sets)
		}
		c.halt()
		c.config.Remote = false
		c.start()
		c.wait(offerAfter)
		c.wantMenu("without-remote")
		c.halt()
		c.config.Remote, c.config.Lang = true, "zh"
		c.start()
		c.wait(offerAfter)
		c.wantMenu("zh")
	})
}

func TestEveryCommandIsDescribed(t *testing.T) {
	for _, name := range append(sessions.Commands(), "start") {
		english, chinese := described(name)
		if english == "" || chinese == "" || english == chinese {
			t.Errorf("/%s is %q and %q", name, english, chinese)
		}
	}
}

// Rules that let nobody drive take the commands away, and others bring them back.
func TestTheMenuFollowsTheRules(t *testing.T) {
	drive := "\n[remote]\nroles = [\"lead\"]\n"
	rules := writeFile(t, "rules.toml", teamRules)
	driving(t, opencode.VersionNew, func(c *config) { c.Rules = rules }, func(c talk) {
		for _, step := range []struct {
			text string
			want int
		}{{teamRules, 1}, {teamRules + drive, len(sessions.Commands()) + 1}, {teamRules, 1}} {
			if err := os.WriteFile(rules, []byte(step.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if code, body := c.request("POST", "/v1/reload", ""); code != 200 {
				t.Fatal(code, body)
			}
			c.wait(offerAfter)
			if got := c.telegram.Commands("all_private_chats"); len(got) != step.want {
				t.Errorf("offered: %v, want %d", got, step.want)
			}
		}
	})
}

// A menu that Telegram does not take delays nothing, and is set when Telegram says so.
func TestTheMenuFails(t *testing.T) {
	driving(t, opencode.VersionNew, nil, func(c talk) {
		c.halt()
		wait := 600
		c.telegram.SetFault(func(call telegram.Call) telegram.Fault {
			if strings.HasSuffix(call.Method, "MyCommands") && wait > 0 {
				return telegram.Fault{Kind: telegram.Refuse, RetryAfter: wait}
			}
			return telegram.Fault{}
		})
		c.config.Remote = false
		calls := c.telegram.Count("getMyCommands")
		c.start()
		c.ask(database())
		c.screen("Which database")
		wait = 0
		c.wait(9 * time.Minute)
		if n := c.telegram.Count("getMyCommands") - calls; n != 1 {
			t.Errorf("Telegram said to wait, and was asked %d times", n)
		}
		c.wait(2 * time.Minute)
		c.wantMenu("without-remote")
		if n := strings.Count(c.log.String(), "the menu of commands was not set"); n != 1 {
			t.Errorf("logged %d times:\n%s", n, c.log.String())
		}
	})
}
