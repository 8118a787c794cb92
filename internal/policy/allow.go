package policy

import (
	"slices"
	"strings"

	"hermes/internal/question"
)

// allowed reports whether the globs cover all that is asked for: every pattern that
// OpenCode names, and the whole command. Other than for rules that restrict, upper and
// lower case are different, and * is no text by which a command becomes another one.
func allowed(globs []string, p *question.Permission) bool {
	return whole(p) && !slices.ContainsFunc(wanted(p), func(text string) bool {
		return !slices.ContainsFunc(globs, func(glob string) bool { return allows(glob, text, p) })
	})
}

// allows reports whether one glob covers one thing that is asked for.
func allows(glob, text string, p *question.Permission) bool {
	switch {
	case isShell(p) || p.Command != "" && text == p.Command:
		return matches(spaced(glob), spaced(text), oneCommand)
	case strings.EqualFold(p.Kind, "webfetch") || isAddress(glob):
		return isAddress(glob) && allowsAddress(glob, text)
	}
	return straight(text) && matches(glob, text, insideFolder)
}

// oneCommand reports whether the text, in a shell's command, does nothing but be words
// of it: it neither ends it nor begins another one, nor sends anything elsewhere.
func oneCommand(text string) bool { return !strings.ContainsAny(text, ";&|<>()`$\n\r") }

// insideFolder reports whether the text, in a path, leads nowhere else.
func insideFolder(text string) bool {
	return !strings.ContainsAny(text, "\n\r") && !strings.Contains(text, "..")
}

// spaced has one space for any number of spaces and tabs, and keeps line breaks: in a
// command they mean something.
func spaced(s string) string {
	blank := func(c rune) bool { return c == ' ' || c == '\t' }
	return strings.Join(strings.FieldsFunc(s, blank), " ")
}
