package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
)

// TestKilledWhileChoosing kills hermes at each of its operations while a person chooses
// sessions and writes at once: every text is in the session that was meant, once.
func TestKilledWhileChoosing(t *testing.T) {
	everyKillOnEither(t, "choosing", chooseLife)
}

func chooseLife(t *testing.T, version string, k *killer) string {
	c := drivingRig(t, version, nil)
	other := c.opencode.NewSession(c.dir, "add an index")
	c.useSession()
	c.halt()
	l := &life{rig: c.rig, killer: k}
	c.wrap = k.around
	c.start()
	l.pass(5 * time.Second)
	for _, text := range []string{"/use add an index", "one", "/new", "/noreply two", "/use fix checkout", "three"} {
		c.hand(text, 0)
	}
	l.pass(3 * time.Minute)
	what := k.killed()
	got := c.where()
	if n := len(c.opencode.Sessions()); n != 3 {
		t.Errorf("%d sessions, and one was to be made", n-2)
	}
	if got["one"] != other || got["three"] != c.session || slices.Contains([]string{"", other, c.session}, got["two"]) || len(c.prompts()) != 3 {
		t.Errorf("they went to %q\n%s", got, c.telegram.History(ada))
		t.Logf("killed at operation %d, %s, with its effect: %v\nlog:\n%s", k.at, what, k.after, c.log.String())
	}
	c.bury(what)
	return what
}

// TestKilledWhileMaking kills hermes at each of its operations while it makes a session,
// by a word, by a button, or two at once: each is made once, used, and told of, twice at
// most.
func TestKilledWhileMaking(t *testing.T) {
	for _, how := range []string{"word", "button", "two words"} {
		everyKillOnEither(t, how, func(t *testing.T, version string, k *killer) string { return makeLife(t, how, version, k) })
	}
}

func makeLife(t *testing.T, how, version string, k *killer) string {
	c := drivingRig(t, version, func(c *config) { c.Directories = []string{"/srv/web"} })
	c.useSession()
	c.say("/new", 0)
	list := c.last().ID
	c.halt()
	l := &life{rig: c.rig, killer: k}
	c.wrap = k.around
	c.start()
	l.pass(5 * time.Second)
	want := []string{"/srv/web"}
	switch how {
	case "word":
		c.hand("/new web", 0)
		l.pass(5 * time.Second)
	case "button":
		l.pressOn(list, "📁 web")
	default:
		c.hand("/new "+c.dir, 0)
		c.hand("/new web", 0)
		l.pass(5 * time.Second)
		want = []string{c.dir, "/srv/web"}
	}
	l.pass(time.Minute)
	what := k.spent()
	c.hand("Write a page.", 0)
	l.pass(2 * time.Minute)
	told := strings.Count(c.telegram.Transcript(ada), "A new session.")
	if got := c.made(); !slices.Equal(got, want) || told < len(want) || told > len(want)+1 {
		t.Errorf("sessions were made in %q, and %d messages tell of them\n%s", got, told, c.telegram.History(ada))
	}
	if got := c.where()["Write a page."]; got == "" || got == c.session || got != c.opencode.Sessions()[len(want)].ID {
		t.Errorf("the prompt went to %q\n%s", got, c.telegram.History(ada))
	}
	if n := len(l.journal(question.EntryCreated)); n != len(want) {
		t.Errorf("%d entries of it", n)
	}
	if t.Failed() {
		t.Logf("killed at operation %d, %s, with its effect: %v\nlog:\n%s", k.at, what, k.after, c.log.String())
	}
	c.bury(what)
	return what
}
