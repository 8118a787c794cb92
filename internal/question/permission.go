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

	Files  []FileChange // of edit: what becomes of each file, in OpenCode's order; empty: not told
	Links  []FileLink   // of edit: the files that are elsewhere than their names say, sorted by path; empty: none, or not known
	Unread bool         // of edit: what is said of its files cannot be understood
}

// ChangeKind is the closed set of what becomes of a file.
type ChangeKind string

const (
	FileAdded   ChangeKind = "added"
	FileChanged ChangeKind = "changed"
	FileDeleted ChangeKind = "deleted"
	FileMoved   ChangeKind = "moved"
)

// FileChange is what an edit does to a file. Paths are as the patterns name them, where they do.
type FileChange struct {
	Kind ChangeKind
	Path string
	To   string // moved: where to; else empty
}

// FileLink is a file that is a symbolic link, or that is below one.
type FileLink struct {
	Path   string
	Target string // where it is; "?": nobody knows
}

// Paths are all files that an edit names beside its patterns.
func (p Permission) Paths() (paths []string) {
	for _, f := range p.Files {
		paths = append(paths, f.Path)
		if f.Kind == FileMoved {
			paths = append(paths, f.To)
		}
	}
	for _, l := range p.Links {
		paths = append(paths, l.Target)
	}
	return paths
}

// MayReachOthers reports whether an edit may change other files than it names: hermes cannot read which, or one of them
// is elsewhere, and where a link leads can be changed at any time.
func (p Permission) MayReachOthers() bool { return p.Unread || len(p.Links) > 0 }

// PatternsBeside are the patterns that a command does not show: those that are no part of it. Those of other kinds than
// bash say what the command is for, and are all shown.
func PatternsBeside(kind, command string, patterns []string) []string {
	if kind != "bash" {
		return patterns
	}
	return slices.DeleteFunc(slices.Clone(patterns), func(pattern string) bool { return strings.Contains(command, pattern) })
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
