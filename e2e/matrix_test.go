//go:build e2e

package e2e_test

import (
	"flag"
	"testing"

	"hermes/e2e/lab"
)

// matrix has every test played with every version and every way in. Without it only the
// question path is, and the others with each version by one way: real OpenCodes are what
// the tests take most of their time for.
var matrix = flag.Bool("matrix", false, "play every test with every version of OpenCode and every way into it")

// entry is a version of OpenCode, and how hermes gets into it.
type entry struct {
	version string
	way     way
}

func everyEntry() []entry {
	var all []entry
	for _, version := range lab.Versions {
		for _, w := range ways() {
			all = append(all, entry{version, w})
		}
	}
	return all
}

// both are the versions, the old one by one way and the current one by another.
func both(old, current way) []entry {
	return []entry{{lab.Versions[0], old}, {lab.Versions[1], current}}
}

// with runs a test with each entry, side by side.
func with(t *testing.T, entries []entry, test func(t *testing.T, bin string, e entry)) {
	t.Helper()
	t.Parallel()
	if *matrix {
		entries = everyEntry()
	}
	bin := buildHermes(t)
	for _, e := range entries {
		t.Run(e.version+"/"+string(e.way), func(t *testing.T) {
			t.Parallel()
			test(t, bin, e)
		})
	}
}
