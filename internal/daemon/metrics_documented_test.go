package daemon_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hermes/internal/simulate/rig"
)

// docs/http.md has a row for every metric, with its labels, and for no other.
func TestMetrics_AreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/http.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		first, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		for _, m := range regexp.MustCompile("`(hermes_[a-z_]+)(?:{([a-z_,]+)})?`").FindAllStringSubmatch(first, -1) {
			if strings.HasPrefix(line, "| `hermes_") {
				documented[m[1]+"{"+m[2]+"}"] = true
			}
		}
	}
	got := map[string]bool{}
	for name, labels := range rig.AllMetrics(t) {
		if strings.HasPrefix(name, "hermes_") {
			got[name+"{"+strings.Join(labels, ",")+"}"] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if !documented[name] {
			t.Errorf("docs/http.md does not tell of %s", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(documented)) {
		if !got[name] {
			t.Errorf("docs/http.md tells of %s, which is not there", name)
		}
	}
}
