package main

import (
	"fmt"
	"slices"
	"strings"
)

// mistakes is what the person who starts hermes has to mend, one line each. It
// is the error of a wrong configuration or a wrong use of a command, and ends
// the program with exit code 2. No line holds the value of a variable: a token
// pasted into the wrong place must not reach a terminal or a journal.
type mistakes []string

// Error lists the mistakes, one a line.
func (m mistakes) Error() string { return strings.Join(m, "\n") }

// add notes a mistake in a variable (or another place that has a name).
func (m *mistakes) add(name, format string, args ...any) {
	*m = append(*m, name+": "+fmt.Sprintf(format, args...))
}

// err returns the mistakes as an error, or nil if there are none.
func (m mistakes) err() error {
	if len(m) == 0 {
		return nil
	}
	return m
}

// legible makes lines from elsewhere harmless on a terminal.
func (m mistakes) legible() mistakes {
	var lines mistakes
	for _, line := range m {
		lines = append(lines, legible(line))
	}
	return lines
}

// has reports whether a mistake in the variable, or in its …_FILE, is noted.
func (m mistakes) has(name string) bool {
	return slices.ContainsFunc(m, func(line string) bool {
		return strings.HasPrefix(line, name+":") || strings.HasPrefix(line, name+"_FILE:")
	})
}
