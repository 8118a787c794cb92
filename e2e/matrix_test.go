//go:build e2e

package e2e_test

import (
	"flag"
	"fmt"
	"os"
	"sync"

	"hermes/e2e/lab"
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
func (r *record) at(version string, w lab.Way) lab.Played {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := entry{version, w}
	if r.failed[e] || r.tests[e] == 0 {
		return lab.Nothing
	}
	return lab.Planned(version)
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
	if !testlevel.Full() || flag.Lookup("test.run").Value.String()+flag.Lookup("test.skip").Value.String() != "" {
		return nil
	}
	const file = "../README.md"
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, table, after, ok := lab.CutTable(string(raw))
	now := lab.Table(played.at)
	switch {
	case !ok:
		return fmt.Errorf("%s has no table of versions", file)
	case now == table:
		return nil
	case *update:
		return os.WriteFile(file, []byte(before+now+after), 0o644)
	}
	return fmt.Errorf("the table of versions in %s does not say what was played; make versions writes it:\n%s", file, now)
}
