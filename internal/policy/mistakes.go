package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"hermes/internal/sorting"
)

// Mistakes are what is wrong with a file, one line of text each, by the file's lines:
// "rules.toml:12: …". They may show what the file says.
type Mistakes []string

// Error is all of them, one a line.
func (m Mistakes) Error() string { return strings.Join(m, "\n") }

// visibleRune replaces what would harm a terminal or break the line.
func visibleRune(c rune) rune {
	if !unicode.IsGraphic(c) {
		return unicode.ReplacementChar
	}
	return c
}

// mistakeList collects mistakes in any order.
type mistakeList []mistake

type mistake struct {
	line int
	text string
}

func (n *mistakeList) add(line int, format string, args ...any) {
	*n = append(*n, mistake{line, fmt.Sprintf(format, args...)})
}

// onLine reports whether something is wrong on the line.
func (n mistakeList) onLine(line int) bool {
	return slices.ContainsFunc(n, func(one mistake) bool { return one.line == line })
}

// asError returns them as [Mistakes], sorted by line; nil if there are none.
func (n mistakeList) asError(name string) error {
	if len(n) == 0 {
		return nil
	}
	sorting.By(n, func(a, b mistake) int { return cmp.Compare(a.line, b.line) })
	var m Mistakes
	for _, one := range n {
		m = append(m, fmt.Sprintf("%s:%d: %s", name, one.line, strings.Map(visibleRune, one.text)))
	}
	return m
}
