package main

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
)

func TestMistakesInDirectories(t *testing.T) {
	isolate(t)
	_, err := loadConfig(options{File: writeFile(t, "hermes.env", "HERMES_DIRECTORIES=/srv/shop,src/shop,~/shop,/srv/../etc,,C:\\src\n")})
	var lines mistakes
	errors.As(err, &lines)
	want := []string{
		"HERMES_DIRECTORIES: entry 2 is not a whole path such as /home/me/src/shop; ~ is not expanded",
		"HERMES_DIRECTORIES: entry 3 is not a whole path such as /home/me/src/shop; ~ is not expanded",
		"HERMES_DIRECTORIES: entry 4 goes up by ..; write the directory itself",
		"HERMES_DIRECTORIES: entry 5 is not a whole path such as /home/me/src/shop; ~ is not expanded",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got %q", []string(lines))
	}
	c, err := loadConfig(options{File: writeFile(t, "hermes.env", "HERMES_DIRECTORIES=/srv/shop\n")})
	if err != nil || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "HERMES_OPENCODE_URLS") {
		t.Errorf("without a server: %v, %q", err, c.Warnings)
	}
}

// withDirectories is a talk with two directories that nothing was heard from.
func withDirectories(t *testing.T, lang string) talk {
	t.Helper()
	return drivingRig(t, opencode.VersionNew, func(c *config) {
		c.Lang, c.Directories = lang, []string{"/srv/web", "/opt/web"}
	})
}

// made are the directories of the sessions that there are beside the first.
func (c talk) made() []string {
	var all []string
	for _, s := range c.opencode.Sessions() {
		if s.ID != c.session {
			all = append(all, s.Directory)
		}
	}
	return all
}

func TestNewInADirectory(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		synctest.Test(t, func(t *testing.T) {
			c := withDirectories(t, lang)
			defer c.end()
			c.say("/new", 0)
			list := c.last()
			c.tap("📁 opt/web")
			c.wait(3 * time.Second)
			c.say("Write a page.", 0)
			c.wait(20 * time.Second)
			c.say("/new web", 0)
			c.say("/new /srv/web/", 0)
			c.wait(3 * time.Second)
			if _, err := c.telegram.TapData(ada, ada, list.ID, c.data(list, "📁 opt/web")); err != nil { // again
				t.Fatal(err)
			}
			c.wait(3 * time.Second)
			golden(t, "remote-new-in-a-directory."+lang+".txt", c.telegram.History(ada))
			c.wantPrompts("Write a page.")
			if got, want := c.made(), []string{"/opt/web", "/srv/web"}; !slices.Equal(got, want) {
				t.Errorf("sessions were made in %q, want %q", got, want)
			}
		})
	}
}

// Neither a name nor a forged button leads out of the directories that are listed.
func TestNewNowhereElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := withDirectories(t, "en")
		defer c.end()
		for _, name := range []string{
			"/etc", "/srv", "/srv/web/..", "/srv/web/../../etc", "../web", "./web", "/srv/web-evil", "/srv/web/api", "srv", "~", "/",
		} {
			c.say("/new "+name, 0)
			c.screen("In which directory?", "/srv/web")
		}
		for _, data := range []string{"2n0123456789abcdef", "2n/etc", "2n", "2n../../etc/passwd1"} {
			c.forge(ada, ada, c.last().ID, data)
			c.wait(2 * time.Second)
		}
		if got := c.made(); len(got) != 0 {
			t.Errorf("sessions were made in %q", got)
		}
	})
}

// A session in a directory that nothing else is heard from is found again after a restart
// of either.
func TestASessionInAListedDirectoryIsFoundAgain(t *testing.T) {
	for name, restart := range map[string]func(c talk){
		"hermes":   func(c talk) { c.halt(); c.start() },
		"OpenCode": func(c talk) { c.opencode.Restart(); c.wait(20 * time.Second) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := withDirectories(t, "en")
				defer c.end()
				c.say("/new /srv/web", 0)
				c.screen("A new session.")
				restart(c)
				c.say("Write a page.", 0)
				c.wait(30 * time.Second)
				c.wantPrompts("Write a page.")
			})
		})
	}
}
