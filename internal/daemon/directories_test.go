package daemon_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
)

// withDirectories is a talk with two directories that nothing was heard from.
func withDirectories(t *testing.T, lang string) rig.Talk {
	t.Helper()
	return rig.DrivingRig(t, opencode.VersionNew, func(c *config.Config) {
		c.Lang, c.Directories = lang, []string{"/srv/web", "/opt/web"}
	})
}

func TestDirectories_NewInADirectory(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		synctest.Test(t, func(t *testing.T) {
			c := withDirectories(t, lang)
			defer c.End()
			c.Say("/new", 0)
			list := c.Last()
			c.Tap("📁 opt/web")
			c.Wait(3 * time.Second)
			c.Say("Write a page.", 0)
			c.Wait(20 * time.Second)
			c.Say("/new web", 0)
			c.Say("/new /srv/web/", 0)
			c.Wait(3 * time.Second)
			if _, err := c.Telegram.TapData(rig.Ada, rig.Ada, list.ID, c.Data(list, "📁 opt/web")); err != nil { // again
				t.Fatal(err)
			}
			c.Wait(3 * time.Second)
			rig.Golden(t, "remote-new-in-a-directory."+lang+".txt", c.Telegram.History(rig.Ada))
			c.WantPrompts("Write a page.")
			if got, want := sessionDirectories(c), []string{"/opt/web", "/srv/web"}; !slices.Equal(got, want) {
				t.Errorf("sessions were made in %q, want %q", got, want)
			}
		})
	}
}

// Neither a name nor a forged button leads out of the directories that are listed.
func TestDirectories_NewNowhereElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := withDirectories(t, "en")
		defer c.End()
		for _, name := range []string{
			"/etc", "/srv", "/srv/web/..", "/srv/web/../../etc", "../web", "./web", "/srv/web-evil", "/srv/web/api", "srv", "~", "/",
		} {
			c.Say("/new "+name, 0)
			c.WantScreen("In which directory?", "/srv/web")
		}
		for _, data := range []string{"2n0123456789abcdef", "2n/etc", "2n", "2n../../etc/passwd1"} {
			c.ForgeTap(rig.Ada, rig.Ada, c.Last().ID, data)
			c.Wait(2 * time.Second)
		}
		if got := sessionDirectories(c); len(got) != 0 {
			t.Errorf("sessions were made in %q", got)
		}
	})
}

// A session in a directory that nothing else is heard from is found again after a restart
// of either.
func TestDirectories_SessionInAListedDirectoryIsFoundAgain(t *testing.T) {
	for name, restart := range map[string]func(c rig.Talk){
		"hermes":   func(c rig.Talk) { c.Halt(); c.Start() },
		"OpenCode": func(c rig.Talk) { c.Opencode.Restart(); c.Wait(20 * time.Second) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := withDirectories(t, "en")
				defer c.End()
				c.Say("/new /srv/web", 0)
				c.WantScreen("A new session.")
				restart(c)
				c.Say("Write a page.", 0)
				c.Wait(30 * time.Second)
				c.WantPrompts("Write a page.")
			})
		})
	}
}

// sessionDirectories are the directories of the sessions that there are beside the first.
func sessionDirectories(c rig.Talk) []string {
	var all []string
	for _, s := range c.Opencode.Sessions() {
		if s.ID != c.Session {
			all = append(all, s.Directory)
		}
	}
	return all
}
