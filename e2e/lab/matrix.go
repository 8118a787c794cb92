package lab

import (
	"errors"
	"fmt"
	"strings"

	"hermes/opencode/release"
)

// Way is how hermes gets into an OpenCode.
type Way string

// The ways in.
const (
	Direct      Way = "serve"            // opencode serve, by HERMES_OPENCODE_URLS
	LinkedServe Way = "serve and plugin" // opencode serve with the plugin
	LinkedTUI   Way = "TUI and plugin"   // the plain program, which listens nowhere
)

// Ways lists them.
func Ways() []Way { return []Way{Direct, LinkedServe, LinkedTUI} }

// Played is how much was played with a version by a way in, all of it with success.
type Played int

// The amounts.
const (
	Nothing Played = iota
	MainScenes
	AllScenes
)

func (p Played) String() string { return [...]string{"–", "main scenes", "all scenes"}[p] }

// Planned is what `make matrix` plays with a version: all scenes with the ends of what
// hermes supports, the main ones with the others.
func Planned(version string) Played {
	if version == release.Oldest || version == release.Newest {
		return AllScenes
	}
	return MainScenes
}

// Between these lines README.md has the table.
const (
	tableBegins = "<!-- TESTS=full go test -tags e2e ./e2e -update writes this table -->\n"
	tableEnds   = "<!-- the table ends -->\n"
)

// Table is the table of versions in README.md, of what was played.
func Table(played func(version string, w Way) Played) string {
	var b strings.Builder
	b.WriteString("| OpenCode | `serve`, reached directly | `serve` with the plugin | the plain TUI with the plugin |\n|---|---|---|---|\n")
	for _, v := range release.Versions() {
		fmt.Fprintf(&b, "| %s |", v)
		for _, w := range Ways() {
			fmt.Fprintf(&b, " %s |", played(v, w))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// WithTable puts the table of what was played into a README, and reports whether the one
// there was another. It fails for a README without a place for it.
func WithTable(readme string, played func(version string, w Way) Played) (written string, stale bool, err error) {
	before, rest, begins := strings.Cut(readme, tableBegins)
	_, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		return "", false, errors.New("README.md has no place for the table of versions")
	}
	written = before + tableBegins + Table(played) + tableEnds + after
	return written, written != readme, nil
}
