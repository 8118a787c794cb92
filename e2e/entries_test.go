//go:build e2e

package e2e_test

import (
	"slices"
	"testing"

	"hermes/e2e/lab"
	"hermes/internal/testlevel"
	"hermes/opencode/release"
)

// entry is a version of OpenCode, and how hermes gets into it.
type entry struct {
	version string
	way     way
}

// The ends of what hermes supports, with which all scenes are played.
const oldest, newest = release.Oldest, release.Newest

// everyEntry is the oldest and the newest version with each way in.
func everyEntry() []entry { return entriesOf([]string{oldest, newest}) }

func entriesOf(versions []string) []entry {
	var all []entry
	for _, version := range versions {
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
	byNewest                            // what no older version does
)

// plays reports whether scenes of that scope are played at the entry.
func (e entry) plays(s scope) bool {
	switch {
	case s&byNewest != 0 && e.version != newest:
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
			t.Cleanup(func() { played.note(e, !t.Failed()) })
			test(t, e)
		})
	}
}

// eachVersion runs a test with the oldest and the newest version, side by side; the quick
// tests have only the newest.
func eachVersion(t *testing.T, test func(t *testing.T, version string)) {
	t.Helper()
	t.Parallel()
	for _, v := range testlevel.Choose([]string{newest}, []string{oldest, newest}) {
		t.Run(v, func(t *testing.T) {
			t.Parallel()
			test(t, v)
		})
	}
}

// TestLab_Installs fetches the binaries, all at once, before the tests that run beside each
// other. A version that cannot be had fails here, and at each of its entries.
func TestLab_Installs(t *testing.T) {
	for _, v := range testlevel.Choose([]string{newest}, slices.Concat(release.Versions(), apartEnds)) {
		t.Run(v, func(t *testing.T) {
			t.Parallel()
			lab.Binary(t, v)
		})
	}
}
