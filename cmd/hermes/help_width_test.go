package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// The list of commands is for a terminal of 80 columns.
func TestHelp_FitsTheTerminal(t *testing.T) {
	code, out, errs := hermes("--help")
	if code != 0 || !strings.Contains(out, "unreadable") {
		t.Fatal(code, out, errs)
	}
	for line := range strings.Lines(out) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}
