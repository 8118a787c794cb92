//go:build e2e

package e2e_test

import (
	"testing"

	"hermes/e2e/lab"
	"hermes/internal/testlevel"
)

// entry is a version of OpenCode, and how hermes gets into it.
type entry struct {
	version string
	way     way
}

// The versions: the oldest that hermes supports, and a current one.
var oldest, newest = lab.Versions[0], lab.Versions[1]

// everyEntry is each version with each way in.
func everyEntry() []entry {
	var all []entry
	for _, version := range lab.Versions {
		for _, w := range ways() {
			all = append(all, entry{version, w})
		}
	}
	return all
}

// scope says at which entries a scene is played. The full tests play it with every one
// unless a flag says less; the quick ones play the scenes that are for them, at one entry.
type scope uint

const (
	everywhere  scope = 0
	quick       scope = 1 << (iota - 1) // in the quick tests, too
	hermesAlone                         // no OpenCode has a part in it: each version by one way
	byServer                            // what no terminal does
	byNewest                            // what no older version does
)

// plays reports whether scenes of that scope are played at the entry.
func (e entry) plays(s scope) bool {
	switch {
	case s&byServer != 0 && e.way == linkedTUI, s&byNewest != 0 && e.version != newest:
		return false
	case !testlevel.Full():
		return s&quick != 0
	}
	return s&hermesAlone == 0 || e == entry{oldest, direct} || e == entry{newest, linkedTUI}
}

// atEach runs a test at each of the entries, side by side; the quick tests have only the
// newest version by one way.
func atEach(t *testing.T, quickWay way, entries []entry, test func(t *testing.T, e entry)) {
	t.Helper()
	t.Parallel()
	if !testlevel.Full() {
		entries = []entry{{newest, quickWay}}
	}
	for _, e := range entries {
		t.Run(e.version+"/"+string(e.way), func(t *testing.T) {
			t.Parallel()
			test(t, e)
		})
	}
}

// eachVersion runs a test with each version, side by side; the quick tests have only the
// newest.
func eachVersion(t *testing.T, test func(t *testing.T, version string)) {
	t.Helper()
	t.Parallel()
	for _, v := range versions() {
		t.Run(v, func(t *testing.T) {
			t.Parallel()
			test(t, v)
		})
	}
}

func versions() []string {
	return testlevel.Choose([]string{newest}, lab.Versions[:])
}

// TestLab_Installs fetches the binaries, once, before the tests that run beside each other.
func TestLab_Installs(t *testing.T) {
	for _, v := range versions() {
		lab.Binary(t, v)
	}
}
