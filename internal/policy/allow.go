package policy

import (
	"slices"
	"strings"

	"hermes/internal/question"
)

// coversPermission reports whether the globs cover all that is asked for: every pattern that
// OpenCode names, and the whole command. Unlike for rules that restrict, case
// counts, and * never stands for text that makes a command another one.
func coversPermission(globs []string, p *question.Permission) bool {
	return fullyKnown(p) && !slices.ContainsFunc(requestedTexts(p), func(text string) bool {
		return !slices.ContainsFunc(globs, func(glob string) bool { return globAllows(glob, text, p) })
	})
}

// globAllows reports whether one glob covers one thing that is asked for.
func globAllows(glob, text string, p *question.Permission) bool {
	switch {
	case isShell(p) || p.Command != "" && text == p.Command:
		return matchGlob(collapseBlanks(glob), collapseBlanks(text), oneCommand)
	case strings.EqualFold(p.Kind, "webfetch") || isAddress(glob):
		return isAddress(glob) && allowsAddress(glob, text)
	}
	return unambiguousPath(text) && matchGlob(glob, text, insideFolder)
}

// oneCommand reports whether a shell takes the text for mere words of a command: it neither
// ends the command nor begins another one, nor redirects anything.
func oneCommand(text string) bool { return !strings.ContainsAny(text, ";&|<>()`$\n\r") }

// insideFolder reports whether the text, in a path, leads nowhere else.
func insideFolder(text string) bool {
	return !strings.ContainsAny(text, "\n\r") && !strings.Contains(text, "..")
}

// collapseBlanks replaces runs of spaces and tabs by one space. It keeps line breaks, which
// mean something in a command.
func collapseBlanks(s string) string {
	blank := func(c rune) bool { return c == ' ' || c == '\t' }
	return strings.Join(strings.FieldsFunc(s, blank), " ")
}
