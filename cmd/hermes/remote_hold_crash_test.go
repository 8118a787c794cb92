package main

import (
	"slices"
	"testing"
	"time"

	opencode "hermes/opencode/simulator"
)

// TestKilledWhileChoosing kills hermes at each of its operations while a person chooses
// sessions and writes at once: every text is in the session that was meant, once.
func TestKilledWhileChoosing(t *testing.T) {
	for _, version := range []string{opencode.VersionOld, opencode.VersionNew} {
		everyKill(t, version, func(t *testing.T, k *killer) string { return chooseLife(t, version, k) })
	}
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
	if got["one"] != other || got["three"] != c.session || slices.Contains([]string{"", other, c.session}, got["two"]) || len(c.prompts()) != 3 {
		t.Errorf("they went to %q\n%s", got, c.telegram.History(ada))
		t.Logf("killed at operation %d, %s, with its effect: %v\nlog:\n%s", k.at, what, k.after, c.log.String())
	}
	if c.wrap == nil || what == "" {
		c.halt()
		c.wrap = nil
	}
	c.close()
	return what
}
