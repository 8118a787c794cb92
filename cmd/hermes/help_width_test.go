package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// What a command says of itself is for a terminal of 80 columns.
func TestHelp_FitsTheTerminal(t *testing.T) {
	n := 0
	var look func(*cobra.Command)
	look = func(cmd *cobra.Command) {
		n++
		args := append(strings.Fields(cmd.CommandPath())[1:], "--help")
		code, out, errs := hermes(args...)
		if code != 0 || !strings.Contains(out, "Usage:") {
			t.Fatal(args, code, out, errs)
		}
		for line := range strings.Lines(out) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > helpWidth {
				t.Errorf("%q, %d columns: %s", args, n, line)
			}
		}
		for _, sub := range cmd.Commands() {
			look(sub)
		}
	}
	look(rootCommand(streams{}))
	if n < 30 {
		t.Errorf("looked at %d commands", n)
	}
}

func TestHelp_Wraps(t *testing.T) {
	const text = "One two three.\nFour.\n\nFive six seven eight nine ten\neleven.\nTwelve\n  hermes ask --a-long-command stays\n  -f, --flag name   what the flag is\n  a   b\n"
	const want = "One two three.\nFour.\n\nFive six seven eight nine\nten eleven. Twelve\n  hermes ask --a-long-command stays\n  -f, --flag name   what\n" +
		"                    the\n                    flag\n                    is\n  a   b\n"
	if got := wrapText(text, 25); got != want {
		t.Errorf("%s", got)
	}
}
