package question

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"hermes/internal/letters"
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
	Kind     string   `json:"kind,omitzero"`     // OpenCode's word: bash, edit, webfetch, external_directory and others
	Patterns []string `json:"patterns,omitzero"` // what OpenCode's own rules are matched against
	Always   []string `json:"always,omitzero"`   // the patterns that Always adds; empty: it can be allowed only once
	Command  string   `json:"command,omitzero"`  // of bash: the whole command; empty: not known
	Diff     string   `json:"diff,omitzero"`     // of edit: what changes, as a unified diff; empty: not known
	Details  []Detail `json:"details,omitzero"`  // everything else that OpenCode tells of the call, sorted by name

	Files  []FileChange `json:"files,omitzero"`  // of edit: what becomes of each file, in OpenCode's order; empty: not told
	Links  []FileLink   `json:"links,omitzero"`  // of edit: the files that are elsewhere than their names say, sorted by path; empty: none, or not known
	Unread bool         `json:"unread,omitzero"` // of edit: what is said of its files cannot be understood
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
	Kind ChangeKind `json:"kind"`
	Path string     `json:"path"`
	To   string     `json:"to,omitzero"` // moved: where to; else empty
}

// FileLink is a file that is a symbolic link, or that is below one.
type FileLink struct {
	Path   string `json:"path"`
	Target string `json:"target"` // where it is; "?": nobody knows
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

// messagesHold is how much a chat that takes no files is shown, in UTF-16 units: about nine messages.
const messagesHold = 9 * 4096

// FitsMessages reports whether messages alone can show all that it is for, as people judge it. If they cannot, nobody
// allows it in a chat that takes no files.
func (p Permission) FitsMessages() bool {
	n := 0
	add := func(text string) {
		if n += len("moves  to \n") + len(text)/utf8.UTFMax; n > messagesHold {
			return // long enough for certain
		}
		n -= len(text) / utf8.UTFMax
		for _, r := range letters.Diff(text) { // the longest way to show it
			n += utf16.RuneLen(r)
		}
	}
	for _, list := range [][]string{{p.Command, p.Diff}, PatternsBeside(p.Kind, p.Command, p.Patterns), p.Always, p.Paths()} {
		for _, text := range list {
			add(text)
		}
	}
	for _, d := range p.Details {
		add(d.Name + d.Text)
	}
	return n <= messagesHold
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
	Name string `json:"name,omitzero"`
	Text string `json:"text,omitzero"`
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

// The steps of a permission ask. The conversation has one choice, made in one of
// them, and what cannot be taken back is asked for twice.
const (
	StepGrant  = 0 // allow once, allow always, reject, reject with a note
	StepAlways = 1 // always: sure? It says what that adds
	StepNote   = 2 // this text as the note of a rejection: sure?
)

// The options of StepGrant, as Pick names them.
const (
	PickOnce   = 0
	PickAlways = 1
)

// fitsGrant reports whether the step on screen can have had a button for this move.
func (w Wizard) fitsGrant(r Request, m WizardInput) bool {
	first := w.Step == StepGrant
	switch m.Action {
	case Pick:
		return first && (m.Option == PickOnce || m.Option == PickAlways && len(r.Permission.Always) > 0)
	case Type:
		return first && r.TakesNote()
	case Dismiss:
		return first
	case Go:
		return !first && m.Item == StepGrant
	case Send:
		return !first
	case Say, Drop, Done, Page:
	}
	return false
}

// Allows reports whether a move that led to this step of a permission ask allows it, or begins to.
func (w Wizard) Allows() bool {
	return w.State == Answered || w.State == Asking && w.Step == StepAlways
}

// grant is the conversation about a permission.
func (w *Wizard) grant(r Request, m WizardInput) Notice {
	switch m.Action {
	case Pick:
		w.Choices[0] = Choice{Options: []int{m.Option}}
		if m.Option == PickAlways {
			w.goTo(StepAlways)
			return Notice{}
		}
		w.close(Answered)
	case Type:
		w.Typing = m.On
	case Go:
		w.Choices[0] = Choice{}
		w.goTo(StepGrant)
	case Send:
		if w.Step == StepAlways {
			w.close(Answered)
			return Notice{}
		}
		w.close(Dismissed)
	case Dismiss:
		w.Choices[0] = Choice{}
		w.close(Dismissed)
	case Say:
		return w.note(r, m.Text)
	case Drop, Done, Page:
	}
	return Notice{}
}

// note takes typed text: as the note of a rejection if that was asked for, else as
// the draft of one, for words alone must not end the agent's turn.
func (w *Wizard) note(r Request, text string) Notice {
	if !r.TakesNote() {
		return Notice{Kind: TapButton, Text: text}
	}
	if strings.TrimSpace(text) == "" {
		return Notice{Kind: PickOne, Text: text}
	}
	asked := w.Typing
	w.Choices[0] = Choice{Texts: []string{text}}
	if asked {
		w.close(Dismissed)
		return Notice{}
	}
	w.goTo(StepNote)
	return Notice{}
}

// Note is the text that goes with a rejection, empty for none.
func (w Wizard) Note() string {
	if c := w.choice(0); len(c.Texts) > 0 {
		return c.Texts[0]
	}
	return ""
}

// granted is how a permission was given.
func (w Wizard) granted() Answers {
	switch c := w.choice(0); {
	case c.Has(PickOnce):
		return Answers{{Once}}
	case c.Has(PickAlways):
		return Answers{{Always}}
	}
	return nil
}

// TakesNote reports whether a rejection can tell the agent something.
func (r Request) TakesNote() bool { return r.Permission != nil && r.Protocol.TakesNotes() }
