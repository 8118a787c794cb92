package policy

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// docs/rules.md has what a rule and a person may have, and what a rule decides: all there is, and nothing else.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	var decides []string
	for _, d := range decideValues() {
		decides = append(decides, `"`+string(d)+`"`)
	}
	tables := fieldTables(string(text))
	people, rest := tables[0], slices.Concat(tables[1:]...)
	rest = slices.DeleteFunc(rest, func(name string) bool { return strings.HasPrefix(name, `"`) })
	quoted := slices.DeleteFunc(slices.Concat(tables...), func(name string) bool { return !strings.HasPrefix(name, `"`) })
	for what, c := range map[string]struct{ there, want []string }{
		"a person": {people, slices.Collect(maps.Keys(personSettings()))},
		"a rule":   {rest, slices.Collect(maps.Keys(ruleSettings()))},
		"decide":   {quoted, decides},
	} {
		slices.Sort(c.there)
		slices.Sort(c.want)
		if !slices.Equal(c.there, c.want) {
			t.Errorf("of %s docs/rules.md has\n%q\nand the program\n%q", what, c.there, c.want)
		}
	}
}

var firstCell = regexp.MustCompile("^\\| `([^`]+)` \\|[^|]*")

// fieldTables are the first cells of the tables of two columns.
func fieldTables(page string) (tables [][]string) {
	inside := false
	for line := range strings.Lines(page) {
		switch cells := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"); {
		case strings.HasPrefix(line, "|---|---|\n"):
			tables, inside = append(tables, nil), true
		case cells < 3:
			inside = false
		case inside:
			if found := firstCell.FindStringSubmatch(line); found != nil {
				tables[len(tables)-1] = append(tables[len(tables)-1], found[1])
			}
		}
	}
	return tables
}
