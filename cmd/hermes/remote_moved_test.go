package main

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

// A group becomes a supergroup while a prompt of its is owed, another one worked on, and
// a session in use, with hermes there, down, or deaf to Telegram's word of it. All of it
// is the new group's then.
func TestDrivingInAGroupThatMoves(t *testing.T) {
	const group = -1234
	for name, upgrade := range map[string]func(talk) int64{
		"while hermes runs": func(c talk) int64 { return c.upgrade(group) },
		"while hermes is down": func(c talk) int64 {
			c.halt()
			after := c.upgrade(group)
			c.start()
			return after
		},
		"and hermes is stopped right then": func(c talk) int64 {
			after := c.upgrade(group)
			c.wait(time.Second)
			c.halt()
			c.start()
			return after
		},
		"while hermes hears nothing": func(c talk) int64 {
			var heard atomic.Bool
			c.telegram.SetFault(func(call telegram.Call) telegram.Fault {
				if call.Method == "getUpdates" && !heard.Load() {
					return telegram.Fault{Kind: telegram.Unreachable}
				}
				return telegram.Fault{}
			})
			c.wait(2 * time.Minute)
			after := c.upgrade(group)
			time.AfterFunc(20*time.Minute, func() { heard.Store(true) })
			return after
		},
	} {
		t.Run(name, func(t *testing.T) {
			driving(t, opencode.VersionNew, withGroup(group), func(c talk) {
				c.telegram.AddChat(telegram.Chat{ID: group, Type: telegram.Group, Title: "Pair", Members: []int64{ada, bob}, BotAdmin: true})
				c.sayIn(ada, group, "/level turns", 0)
				c.sayIn(ada, group, "/use fix checkout", 0)
				child := c.opencode.Task(c.dir, c.session, "tester", "look at the tests")
				c.wait(2 * time.Second)
				c.sayIn(bob, group, "first", c.lastIn(group).ID)
				c.wait(5 * time.Second)
				c.opencode.SetFault(func(req *http.Request) opencode.Fault {
					if strings.HasSuffix(req.URL.Path, "/prompt_async") {
						return opencode.FailBeforeEffect
					}
					return opencode.NoFault
				})
				c.sayIn(ada, group, "/noreply second", 0)
				c.wait(time.Second)
				after := upgrade(c)
				c.wait(time.Minute)
				c.opencode.SetFault(nil)
				c.wait(2 * time.Minute)
				c.opencode.Say(child, "All is well.")
				c.wait(2 * time.Minute)
				c.wantPrompts("first", "second")
				shown := c.telegram.Transcript(after)
				if strings.Count(shown, "💤") != 1 {
					t.Errorf("the end was told otherwise than once:\n%s\nbefore:\n%s", shown, c.telegram.Transcript(group))
				}
				c.wait(20 * time.Minute)
				c.sayIn(ada, after, "/status", 0)
				if s := c.lastIn(after).Text; !strings.Contains(s, "fix checkout flow") || !strings.Contains(s, "the end of every turn") {
					t.Errorf("the status there: %s", s)
				}
				c.sayIn(bob, after, "third", c.lastIn(after).ID)
				c.wait(time.Minute)
				c.wantPrompts("first", "second", "third")
			})
		})
	}
}

func (c talk) upgrade(group int64) int64 {
	c.t.Helper()
	after, err := c.telegram.Upgrade(ada, group)
	if err != nil {
		c.t.Fatal(err)
	}
	return after
}
