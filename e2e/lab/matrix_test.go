package lab_test

import (
	"os"
	"testing"

	"hermes/e2e/lab"
)

// README.md has a table of what `make matrix` plays. That it was played with success is
// what the matrix itself holds the table to.
func TestTable_TheReadmeHasWhatTheMatrixPlays(t *testing.T) {
	raw, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, got, _, ok := lab.CutTable(string(raw))
	want := lab.Table(func(version string, _ lab.Way) lab.Played { return lab.Planned(version) })
	if !ok || got != want {
		t.Errorf("README.md's table of versions is stale; make versions plays them and writes it. It reads\n%s\nwant\n%s", got, want)
	}
}
