package lab_test

import (
	"os"
	"strings"
	"testing"

	"hermes/e2e/lab"
	"hermes/opencode/release"
)

func planned(version string, _ lab.Way) lab.Played { return lab.Planned(version) }

// README.md has a table of what `make matrix` plays. That it was played with success is
// what the matrix itself holds the table to.
func TestTable_TheReadmeHasWhatTheMatrixPlays(t *testing.T) {
	raw, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	written, stale, err := lab.WithTable(string(raw), planned)
	if stale || err != nil {
		t.Errorf("README.md's table of versions is stale (%v); TESTS=full go test -tags e2e -timeout 60m ./e2e -update plays them and writes it:\n%s", err, written)
	}
}

func TestTable_WhatWasNotPlayedIsSeen(t *testing.T) {
	const empty = "before\n<!-- TESTS=full go test -tags e2e ./e2e -update writes this table -->\n<!-- the table ends -->\nafter\n"
	whole, stale, err := lab.WithTable(empty, planned)
	if !stale || err != nil || !strings.HasPrefix(whole, "before\n<!--") || !strings.HasSuffix(whole, "-->\nafter\n") {
		t.Fatalf("%v %v\n%s", stale, err, whole)
	}
	if again, stale, err := lab.WithTable(whole, planned); again != whole || stale || err != nil {
		t.Errorf("%v %v\n%s", stale, err, again)
	}
	failed, stale, err := lab.WithTable(whole, func(version string, w lab.Way) lab.Played {
		if version == release.Newest && w == lab.LinkedTUI {
			return lab.Nothing
		}
		return lab.Planned(version)
	})
	if !stale || err != nil || !strings.Contains(failed, "| "+release.Newest+" | all scenes | all scenes | – |\n") {
		t.Errorf("%v %v\n%s", stale, err, failed)
	}
	if _, _, err := lab.WithTable("no table", planned); err == nil {
		t.Error("a README without a place for the table is taken")
	}
}
