package daemon_test

import (
	"maps"
	"strings"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
)

// permissionTalks are the conversations about permission asks.
func permissionTalks() map[string]func(rig.Talk) {
	return map[string]func(rig.Talk){
		"permission-once": func(c rig.Talk) {
			c.Allow(rig.BashPermission("rm -rf build"))
			c.Press("✅ Allow once", "✅ 允许一次")
		},
		"permission-always": func(c rig.Talk) {
			c.Allow(rig.BashPermission("rm -rf build"))
			c.Press("🔓 Always allow", "🔓 始终允许")
			c.Press("◀ Back", "◀ 上一步")
			c.Press("🔓 Always allow", "🔓 始终允许")
			c.Press("🔓 Always allow", "🔓 始终允许")
		},
		"permission-rejected": func(c rig.Talk) {
			c.Allow(rig.BashPermission("rm -rf build"))
			c.Press("🚫 Reject", "🚫 拒绝")
		},
		"permission-with-a-note": func(c rig.Talk) {
			c.Allow(rig.BashPermission("rm -rf build"))
			c.Press("💬 Reject, say why", "💬 拒绝并说明")
			c.Reply("use make clean")
			c.Wait(2 * time.Second)
		},
		"permission-words-alone": func(c rig.Talk) {
			c.Allow(rig.BashPermission("rm -rf build"))
			c.Say("yes, but not build/cache", 0)
			c.Wait(2 * time.Second)
			c.Press("💬 Reject, say why", "💬 拒绝并说明")
		},
		"permission-at-the-terminal": func(c rig.Talk) {
			request := c.Allow(rig.BashPermission("rm -rf build"))
			c.Opencode.DecideAtTUI(request, "always")
			c.Wait(2 * time.Second)
			c.Reply("no")
		},
		"permission-equal": func(c rig.Talk) {
			c.Opencode.AskPermission(c.Dir, c.Session, rig.BashPermission("make"))
			c.Opencode.AskPermission(c.Dir, c.Session, rig.BashPermission("make"))
			c.Wait(5 * time.Second)
			c.Press("✅ Allow once", "✅ 允许一次")
		},
		"permission-aborted": func(c rig.Talk) {
			c.Allow(rig.BashPermission("rm -rf build"))
			c.Opencode.Abort(c.Session)
			c.Wait(2 * time.Second)
		},
		"permission-expired": func(c rig.Talk) {
			c.Allow(rig.BashPermission("rm -rf build"))
			c.Wait(31 * time.Minute)
		},
		"permission-long": func(c rig.Talk) {
			c.Allow(rig.BashPermission("echo begin\n" + strings.Repeat("echo 123456789\n", 200) + "rm -rf /"))
			c.Press("🚫 Reject", "🚫 拒绝")
		},
		"permission-change": func(c rig.Talk) {
			c.Allow(opencode.Permission{
				Permission: "edit", Patterns: []string{"a.txt"}, Always: []string{"*"},
				Metadata: map[string]any{"filepath": "/src/a.txt", "diff": "--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-one\n+<b>TWO</b>\n"},
			})
			c.Press("✅ Allow once", "✅ 允许一次")
		},
	}
}

// allTalks are those about questions and those about permissions.
func allTalks() map[string]func(rig.Talk) {
	all := conversations()
	maps.Copy(all, permissionTalks())
	return all
}
