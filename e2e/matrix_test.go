//go:build e2e

package e2e_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"sync"

	"hermes/internal/testlevel"
)

var update = flag.Bool("update", false, "write the table of versions in README.md")

// played is what was played at each entry.
var played = record{tests: map[entry]int{}, failed: map[entry]bool{}}

type record struct {
	mu     sync.Mutex
	tests  map[entry]int
	failed map[entry]bool
}

// note remembers that a test was played at an entry.
func (r *record) note(e entry, passed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tests[e]++
	r.failed[e] = r.failed[e] || !passed
}

// at is how much was played with a version by a way in. All that is planned for a version
// was played if a test ran and none failed, because a test plays its whole table or fails.
func (r *record) at(version string, w way) extent {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := entry{version, w}
	if r.failed[e] || r.tests[e] == 0 {
		return nothing
	}
	return planned(version)
}

// tableCode is the exit code after all tests have passed.
func tableCode() int {
	if err := checkTable(); err != nil {
		fmt.Fprintln(os.Stderr, "FAIL:", err)
		return 1
	}
	return 0
}

// checkTable holds the table in README.md to what was played, or writes it. It is for a run
// of all tests, in all detail.
func checkTable() error {
	if !testlevel.Full() {
		return nil
	}
	for _, chosen := range []string{"test.run", "test.skip", "test.list"} {
		if flag.Lookup(chosen).Value.String() != "" {
			return nil
		}
	}
	const file = "../README.md"
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	written, stale, err := withTable(string(raw), played.at)
	if err != nil || !stale {
		return err
	}
	if *update {
		return os.WriteFile(file, []byte(written), 0o644)
	}
	return errors.New("README.md's table of versions does not say what was played; -update writes it:\n" + table(played.at))
}
