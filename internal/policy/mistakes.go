package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Mistakes are what is wrong with a file, one line of text each, by the file's lines:
// "rules.toml:12: …". They may show what the file says.
type Mistakes []string

// Error is all of them, one a line.
func (m Mistakes) Error() string { return strings.Join(m, "\n") }

// visible leaves nothing that would do harm on a terminal or break the line.
func visible(c rune) rune {
	if !unicode.IsGraphic(c) {
		return unicode.ReplacementChar
	}
	return c
}

// notes collects mistakes in any order.
type notes []note

type note struct {
	line int
	text string
}

func (n *notes) add(line int, format string, args ...any) {
	*n = append(*n, note{line, fmt.Sprintf(format, args...)})
}

// on reports whether something is wrong on the line.
func (n notes) on(line int) bool {
	return slices.ContainsFunc(n, func(one note) bool { return one.line == line })
}

// err is nil if nothing is wrong.
func (n notes) err(name string) error {
	if len(n) == 0 {
		return nil
	}
	slices.SortStableFunc(n, func(a, b note) int { return cmp.Compare(a.line, b.line) })
	var m Mistakes
	for _, one := range n {
		m = append(m, fmt.Sprintf("%s:%d: %s", name, one.line, strings.Map(visible, one.text)))
	}
	return m
}
