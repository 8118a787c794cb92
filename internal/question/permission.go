package question

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
