package daemon_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	"hermes/internal/storage"
)

func TestSessions_OnlyThoseWithTheRoleDrive(t *testing.T) {
	rules := filepath.Join(t.TempDir(), "rules.toml")
	text := "[remote]\nroles = \"lead\"\n[[person]]\nid = 42\nname = \"Ada\"\nroles = \"lead\"\n[[person]]\nid = 43\nname = \"Bob\"\nroles = \"dev\"\n"
	if err := os.WriteFile(rules, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	rig.Driving(t, opencode.VersionNew, func(c *config.Config) { c.Rules = rules }, func(c rig.Talk) {
		c.SayIn(rig.Bob, rig.Bob, "/start", 0)
		for _, command := range []string{"/sessions", "/use fix checkout", "/abort", "/new", "/diff"} {
			c.SayIn(rig.Bob, rig.Bob, command, 0)
			c.WantScreenIn(rig.Bob, "You need one of these roles to control sessions: lead")
		}
		c.Say("/sessions", 0)
		mine := c.Last()
		c.SayIn(rig.Bob, rig.Bob, "hello", 0)
		c.Wait(time.Minute)
		c.WantPrompts()
		alert := c.ForgeTap(rig.Bob, rig.Bob, c.LastIn(rig.Bob).ID, c.Data(mine, "1."))
		if !strings.Contains(alert, "lead") {
			t.Errorf("the tap was answered with %q", alert)
		}
		if n := len(c.Journal(storage.EntryRefused)); n != 6 {
			t.Errorf("%d entries of refusals, want 6", n)
		}
		c.SayIn(rig.Eve, rig.Eve, "/sessions", 0)
		c.SayIn(rig.Eve, rig.Eve, "/abort", 0)
		if n := len(c.Telegram.Messages(rig.Eve)); n != 2 {
			t.Errorf("a stranger was answered:\n%s", c.Telegram.Transcript(rig.Eve))
		}
	})
}

func TestSessions_WithoutRemoteNothingDrives(t *testing.T) {
	rig.Driving(t, opencode.VersionNew, func(c *config.Config) { c.Remote = false }, func(c rig.Talk) {
		c.Say("/sessions", 0)
		c.WantScreen("Nothing here is waiting for an answer.")
		finish(c)
		c.Say("/abort", 0)
		c.Say("do it", 0)
		c.Wait(time.Minute)
		c.WantPrompts()
		if n := len(c.Telegram.Messages(rig.Ada)); n != 7 {
			t.Errorf("something was said:\n%s", c.Telegram.Transcript(rig.Ada))
		}
	})
}

func TestSessions_FiftySessionsOnPages(t *testing.T) {
	rig.Driving(t, opencode.VersionNew, nil, func(c rig.Talk) {
		var titles []string
		for n := range 49 {
			title := "session " + strings.Repeat("i", n+1) + "."
			titles = append(titles, title)
			c.Opencode.NewSession(c.Dir, title)
			c.Wait(time.Second)
		}
		c.Say("/sessions", 0)
		shown := c.Last().Text
		for range 6 {
			c.Tap("Next")
			c.Wait(2 * time.Second)
			shown += c.Last().Text
		}
		if missing := slices.DeleteFunc(titles, func(title string) bool { return strings.Contains(shown, title) }); len(missing) > 0 {
			t.Errorf("missing: %q\n%s", missing, shown)
		}
		c.Tap("50.")
		c.Wait(2 * time.Second)
		c.WantScreen("fix checkout flow", "What you write here goes to this session.")
	})
}

// finish lets the session work and come to an end.
func finish(c rig.Talk) {
	c.T.Helper()
	c.Opencode.Ask(c.Dir, c.Session, rig.DatabaseQuestion())
	c.Opencode.AnswerAtTUI(c.Opencode.Pending(c.Dir)[0], [][]string{{"SQLite"}})
	c.Wait(10 * time.Second)
}
