package config

import (
	"fmt"
	"slices"
	"strings"

	"hermes/internal/letters"
)

// Mistakes is what the person who starts hermes has to mend, one line each. It
// is the error of a wrong configuration or a wrong use of a command, and ends
// the program with exit code 2. No line holds the value of a variable: a token
// pasted into the wrong place must not reach a terminal or a journal.
type Mistakes []string

// Error lists the mistakes, one a line.
func (m Mistakes) Error() string { return strings.Join(m, "\n") }

// Add notes a mistake in a variable (or another place that has a name).
func (m *Mistakes) Add(name, format string, args ...any) {
	*m = append(*m, name+": "+fmt.Sprintf(format, args...))
}

// Err returns the mistakes as an error, or nil if there are none.
func (m Mistakes) Err() error {
	if len(m) == 0 {
		return nil
	}
	return m
}

// EscapeLines makes lines from elsewhere harmless on a terminal.
func (m Mistakes) EscapeLines() Mistakes {
	var lines Mistakes
	for _, line := range m {
		lines = append(lines, letters.Escaped(line))
	}
	return lines
}

// Has reports whether a mistake in the variable, or in its …_FILE, is noted.
func (m Mistakes) Has(name string) bool {
	return slices.ContainsFunc(m, func(line string) bool {
		return strings.HasPrefix(line, name+":") || strings.HasPrefix(line, name+"_FILE:")
	})
}
