package daemon_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
)

// A group becomes a supergroup while a prompt of its is owed, another one worked on, and
// a session in use, with hermes there, down, or deaf to Telegram's word of it. All of it
// is the new group's then.
func TestSessions_InAGroupThatMoves(t *testing.T) {
	const group = -1234
	for name, upgrade := range map[string]func(rig.Talk) int64{
		"while hermes runs": func(c rig.Talk) int64 { return upgrade(c, group) },
		"while hermes is down": func(c rig.Talk) int64 {
			c.Halt()
			after := upgrade(c, group)
			c.Start()
			return after
		},
		"and hermes is stopped right then": func(c rig.Talk) int64 {
			after := upgrade(c, group)
			c.Wait(time.Second)
			c.Halt()
			c.Start()
			return after
		},
		"while hermes hears nothing": func(c rig.Talk) int64 {
			var heard atomic.Bool
			c.Telegram.SetFault(func(call telegram.Call) telegram.Fault {
				if call.Method == "getUpdates" && !heard.Load() {
					return telegram.Fault{Kind: telegram.Unreachable}
				}
				return telegram.Fault{}
			})
			c.Wait(2 * time.Minute)
			after := upgrade(c, group)
			time.AfterFunc(20*time.Minute, func() { heard.Store(true) })
			return after
		},
	} {
		t.Run(name, func(t *testing.T) {
			rig.Driving(t, opencode.VersionNew, withGroup(group), func(c rig.Talk) {
				c.Telegram.AddChat(telegram.Chat{ID: group, Type: telegram.Group, Title: "Pair", Members: []int64{rig.Ada, rig.Bob}, BotAdmin: true})
				c.SayIn(rig.Ada, group, "/level all", 0)
				c.SayIn(rig.Ada, group, "/use fix checkout", 0)
				child := c.Opencode.Task(c.Dir, c.Session, "tester", "look at the tests")
				c.Wait(2 * time.Second)
				c.SayIn(rig.Bob, group, "first", c.LastIn(group).ID)
				c.Wait(5 * time.Second)
				c.Opencode.SetFault(func(req *http.Request) opencode.Fault {
					if strings.HasSuffix(req.URL.Path, "/prompt_async") {
						return opencode.FailBeforeEffect
					}
					return opencode.NoFault
				})
				c.SayIn(rig.Ada, group, "/noreply second", 0)
				c.Wait(time.Second)
				after := upgrade(c)
				c.Wait(time.Minute)
				c.Opencode.SetFault(nil)
				c.Wait(2 * time.Minute)
				c.Opencode.Say(child, "All is well.")
				c.Wait(2 * time.Minute)
				c.WantPrompts("first", "second")
				shown := c.Telegram.Transcript(after)
				if strings.Count(shown, "💤") != 1 {
					t.Errorf("the end was told otherwise than once:\n%s\nbefore:\n%s", shown, c.Telegram.Transcript(group))
				}
				c.Wait(20 * time.Minute)
				c.SayIn(rig.Ada, after, "/status", 0)
				if s := c.LastIn(after).Text; !strings.Contains(s, "fix checkout flow") || !strings.Contains(s, "a turn starts or ends") {
					t.Errorf("the status there: %s", s)
				}
				c.SayIn(rig.Bob, after, "third", c.LastIn(after).ID)
				c.Wait(time.Minute)
				c.WantPrompts("first", "second", "third")
			})
		})
	}
}

// upgrade makes a group a supergroup, and returns its new id.
func upgrade(c rig.Talk, group int64) int64 {
	c.T.Helper()
	after, err := c.Telegram.Upgrade(rig.Ada, group)
	if err != nil {
		c.T.Fatal(err)
	}
	return after
}
