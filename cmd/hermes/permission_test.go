package main

import (
	"maps"
	"strings"
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
)

// leave asks to run a command, as OpenCode does.
func leave(command string) opencode.Permission {
	first, _, _ := strings.Cut(command, " ")
	return opencode.Permission{
		Permission: "bash", Patterns: []string{command}, Always: []string{first + " *"},
		Metadata: map[string]any{"command": command},
	}
}

// allow makes the agent ask for permission, and waits until the phone shows it.
func (c talk) allow(p opencode.Permission) (request string) {
	request, _ = c.opencode.AskPermission(c.dir, c.session, p)
	c.wait(2 * time.Second)
	return request
}

func (c talk) press(english, chinese string) {
	c.tap(c.word(english, chinese))
	c.wait(2 * time.Second)
}

// permissionTalks are the conversations about permission asks.
func permissionTalks() map[string]func(talk) {
	return map[string]func(talk){
		"permission-once": func(c talk) {
			c.allow(leave("rm -rf build"))
			c.press("✅ Allow once", "✅ 允许一次")
		},
		"permission-always": func(c talk) {
			c.allow(leave("rm -rf build"))
			c.press("♾ Always allow", "♾ 始终允许")
			c.press("◀ Back", "◀ 上一步")
			c.press("♾ Always allow", "♾ 始终允许")
			c.press("♾ Always allow", "♾ 始终允许")
		},
		"permission-rejected": func(c talk) {
			c.allow(leave("rm -rf build"))
			c.press("🚫 Reject", "🚫 拒绝")
		},
		"permission-with-a-note": func(c talk) {
			c.allow(leave("rm -rf build"))
			c.press("💬 Reject with a note", "💬 拒绝并说明")
			c.reply("use make clean")
			c.wait(2 * time.Second)
		},
		"permission-words-alone": func(c talk) {
			c.allow(leave("rm -rf build"))
			c.say("yes, but not build/cache", 0)
			c.wait(2 * time.Second)
			c.press("💬 Reject with a note", "💬 拒绝并说明")
		},
		"permission-at-the-terminal": func(c talk) {
			request := c.allow(leave("rm -rf build"))
			c.opencode.DecideAtTUI(request, "always")
			c.wait(2 * time.Second)
			c.reply("no")
		},
		"permission-equal": func(c talk) {
			c.opencode.AskPermission(c.dir, c.session, leave("make"))
			c.opencode.AskPermission(c.dir, c.session, leave("make"))
			c.wait(5 * time.Second)
			c.press("✅ Allow once", "✅ 允许一次")
		},
		"permission-aborted": func(c talk) {
			c.allow(leave("rm -rf build"))
			c.opencode.Abort(c.session)
			c.wait(2 * time.Second)
		},
		"permission-expired": func(c talk) {
			c.allow(leave("rm -rf build"))
			c.wait(31 * time.Minute)
		},
		"permission-long": func(c talk) {
			c.allow(leave("echo begin\n" + strings.Repeat("echo 123456789\n", 200) + "rm -rf /"))
			c.press("🚫 Reject", "🚫 拒绝")
		},
		"permission-change": func(c talk) {
			c.allow(opencode.Permission{
				Permission: "edit", Patterns: []string{"a.txt"}, Always: []string{"*"},
				Metadata: map[string]any{"filepath": "/src/a.txt", "diff": "--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-one\n+<b>TWO</b>\n"},
			})
			c.press("✅ Allow once", "✅ 允许一次")
		},
	}
}

// allTalks are those about questions and those about permissions.
func allTalks() map[string]func(talk) {
	all := conversations()
	maps.Copy(all, permissionTalks())
	return all
}

// A rejection takes everything along that the session has asked for, and each message
// says so.
func TestARejectionTakesTheOthersAlong(t *testing.T) {
	playBoth(t, func(r *rig) {
		c := talk{rig: r, dir: r.opencode.Directory(), session: r.opencode.NewSession(r.opencode.Directory(), "clean up")}
		c.allow(leave("rm -rf build"))
		first := c.last()
		c.allow(leave("make"))
		c.press("🚫 Reject", "")
		c.screen("make", "Rejected by Ada ·")
		for _, m := range c.telegram.Messages(ada) {
			if m.ID == first.ID && !strings.Contains(m.Text, "Rejected by Ada, together with another ask of this session") {
				t.Errorf("the other one says\n%s", m.Text)
			}
		}
	})
}
