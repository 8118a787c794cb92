package e2e_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"hermes/opencode/release"
)

// way is how hermes gets into an OpenCode.
type way string

// The ways in.
const (
	direct      way = "serve"            // opencode serve, by HERMES_OPENCODE_URLS
	linkedServe way = "serve and plugin" // opencode serve with the plugin
	linkedTUI   way = "TUI and plugin"   // the plain program, which listens nowhere
)

// ways lists them.
func ways() []way { return []way{direct, linkedServe, linkedTUI} }

// extent is how much was played with a version by a way in, all of it with success.
type extent int

// The amounts.
const (
	nothing extent = iota
	mainScenes
	allScenes
)

func (p extent) String() string { return [...]string{"–", "main scenes", "all scenes"}[p] }

// planned is what `make matrix` plays with a version: all scenes with the ends of what
// hermes supports, the main ones with the others.
func planned(version string) extent {
	if version == release.Oldest || version == release.Newest {
		return allScenes
	}
	return mainScenes
}

// Between these lines README.md has the table.
const (
	tableBegins = "<!-- TESTS=full go test -tags e2e ./e2e -update writes this table -->\n"
	tableEnds   = "<!-- the table ends -->\n"
)

// table is the table of versions in README.md, of what was played.
func table(played func(version string, w way) extent) string {
	var b strings.Builder
	b.WriteString("| OpenCode | `serve`, reached directly | `serve` with the plugin | the plain TUI with the plugin |\n|---|---|---|---|\n")
	for _, v := range release.Versions() {
		fmt.Fprintf(&b, "| %s |", v)
		for _, w := range ways() {
			fmt.Fprintf(&b, " %s |", played(v, w))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// withTable puts the table of what was played into a README, and reports whether the one
// there was another. It fails for a README without a place for it.
func withTable(readme string, played func(version string, w way) extent) (written string, stale bool, err error) {
	before, rest, begins := strings.Cut(readme, tableBegins)
	_, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		return "", false, errors.New("README.md has no place for the table of versions")
	}
	written = before + tableBegins + table(played) + tableEnds + after
	return written, written != readme, nil
}

func plan(version string, _ way) extent { return planned(version) }

// README.md has a table of what `make matrix` plays. That it was played with success is
// what the matrix itself holds the table to.
func TestTable_TheReadmeHasWhatTheMatrixPlays(t *testing.T) {
	raw, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	written, stale, err := withTable(string(raw), plan)
	if stale || err != nil {
		t.Errorf("README.md's table of versions is stale (%v); TESTS=full go test -tags e2e -timeout 60m ./e2e -update plays them and writes it:\n%s", err, written)
	}
}

func TestTable_WhatWasNotPlayedIsSeen(t *testing.T) {
	const empty = "before\n<!-- TESTS=full go test -tags e2e ./e2e -update writes this table -->\n<!-- the table ends -->\nafter\n"
	whole, stale, err := withTable(empty, plan)
	if !stale || err != nil || !strings.HasPrefix(whole, "before\n<!--") || !strings.HasSuffix(whole, "-->\nafter\n") {
		t.Fatalf("%v %v\n%s", stale, err, whole)
	}
	if again, stale, err := withTable(whole, plan); again != whole || stale || err != nil {
		t.Errorf("%v %v\n%s", stale, err, again)
	}
	failed, stale, err := withTable(whole, func(version string, w way) extent {
		if version == release.Newest && w == linkedTUI {
			return nothing
		}
		return planned(version)
	})
	if !stale || err != nil || !strings.Contains(failed, "| "+release.Newest+" | all scenes | all scenes | – |\n") {
		t.Errorf("%v %v\n%s", stale, err, failed)
	}
	if _, _, err := withTable("no table", plan); err == nil {
		t.Error("a README without a place for the table is taken")
	}
}
