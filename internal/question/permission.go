package question

import (
	"regexp"
	"slices"
	"strings"
)

// Permission is what an agent asks leave for, with all that is known of it. A
// request has either a Permission or Items: whoever wants to know whether something
// would be allowed asks whether it has a Permission, whether OpenCode asked for it or a
// program asked hermes itself.
//
// It is decided with one of two answers, [Once] and [Always], or by a rejection,
// which may carry a note. "Always" holds for the directory, in OpenCode's memory,
// until OpenCode restarts (measured on 1.1.53 and 1.18.33).
type Permission struct {
	Kind     string   // OpenCode's word: bash, edit, webfetch, external_directory and others
	Patterns []string // what OpenCode's own rules are matched against
	Always   []string // the patterns that Always adds; empty: it can be allowed only once
	Command  string   // of bash: the whole command; empty: not known
	Diff     string   // of edit: what changes, as a unified diff; empty: not known
	Details  []Detail // everything else that OpenCode tells of the call, sorted by name
}

// Detail is one named thing that a tool call says.
type Detail struct {
	Name string
	Text string
}

// The answers to a permission ask, as OpenCode spells them.
const (
	Once   = "once"
	Always = "always"
)

// MayCover reports whether what Always allows of p can be why OpenCode asks for the other one no
// more: it is of the same kind, and has a pattern that fits. One whose patterns are not told may
// be anything.
func (p Permission) MayCover(other Permission) bool {
	if p.Kind != other.Kind {
		return false
	}
	return len(other.Patterns) == 0 || slices.ContainsFunc(other.Patterns, func(text string) bool {
		return slices.ContainsFunc(p.Always, func(rule string) bool { return fitsRule(rule, text) })
	})
}

// fitsRule matches as OpenCode's rules do: * is any text, ? any character, and a last " *" may be missing.
func fitsRule(rule, text string) bool {
	if short, ok := strings.CutSuffix(rule, " *"); ok && fitsRule(short, text) {
		return true
	}
	form := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(rule))
	fits, err := regexp.MatchString("(?s)^"+form+"$", text)
	return err != nil || fits
}
