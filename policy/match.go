package policy

import (
	"regexp"
	"slices"
	"strings"

	"hermes/question"
)

// conditions are when a rule fits. An empty one always does. Globs are normal.
type conditions struct {
	Ask        askKind
	Permission []string // globs
	Pattern    []string // globs
	Directory  []string // globs
	Agent      []string // globs
	Session    []string // ids, or parts of the title
	Subagent   *bool
	Hours      Hours // in which it was asked

	Header      []string // parts
	HeaderRegex []*regexp.Regexp
	Text        []string // parts
	TextRegex   []*regexp.Regexp
	Option      []string // globs
}

// askKind is the closed set of kinds of ask.
type askKind string

const (
	anyAsk     askKind = ""
	questions  askKind = "question"
	permission askKind = "permission"
)

// permissionsOnly reports whether no question can fit.
func (c conditions) permissionsOnly() bool {
	return c.Ask == permission || len(c.Permission) > 0 || len(c.Pattern) > 0
}

// questionsOnly reports whether no permission ask can fit.
func (c conditions) questionsOnly() bool { return c.Ask == questions || c.ofItems() }

// ofItems reports whether single questions of an ask are looked at.
func (c conditions) ofItems() bool {
	return len(c.Header)+len(c.HeaderRegex)+len(c.Text)+len(c.TextRegex)+len(c.Option) > 0
}

// none reports whether everything fits.
func (c conditions) none() bool {
	lists := len(c.Permission) + len(c.Pattern) + len(c.Directory) + len(c.Agent) + len(c.Session)
	return c.Ask == anyAsk && lists == 0 && c.Subagent == nil && c.Hours.none() && !c.ofItems()
}

// fit reports whether the rule fits, and whether that is certain. Where something is
// not known yet, a rule that restricts fits rather than not, and one that allows does
// not.
func (e entry) fit(a Ask) (fits, known bool) {
	fits, known = true, true
	for _, t := range e.tests(a) {
		if !t.fits && t.known {
			return false, true
		}
		fits, known = fits && t.fits, known && t.known
	}
	return fits, known
}

// given is the rule for an ask that it fits. The clock takes no first choices where
// only a part of the ask meets the conditions.
func (e entry) given(a Ask) Rule {
	r := e.Rule.clone()
	if r.OnTimeout == question.ExpireAccept && !e.when.allMeet(a.Request.Items) {
		r.OnTimeout = question.ExpireReject
	}
	return r
}

// reaches reports whether a glob fits anything that is asked for. What cannot be seen
// may be anything.
func reaches(globs []string, p *question.Permission) (fits, known bool) {
	texts := wanted(p)
	if len(texts) == 0 {
		return true, false
	}
	fits = slices.ContainsFunc(texts, func(text string) bool { return anyFits(globs, text) })
	return fits, fits || whole(p)
}

// wanted is all that is asked for.
func wanted(p *question.Permission) []string {
	texts := slices.Clone(p.Patterns)
	if p.Command != "" {
		texts = append(texts, p.Command)
	}
	return texts
}

// whole reports whether all that is asked for is known. OpenCode names the parts of a
// command, and the command itself only in the call.
func whole(p *question.Permission) bool {
	return len(wanted(p)) > 0 && (p.Kind != shell || p.Command != "")
}

// shell is OpenCode's kind of commands.
const shell = "bash"

// inside reports whether the directory, or one above it, fits.
func inside(globs []string, directory string) bool {
	directory = slashed(directory)
	return slices.ContainsFunc(globs, func(glob string) bool {
		glob = slashed(glob)
		return fits(glob, directory) || fits(glob+"/*", directory)
	})
}

// slashed is a directory with slashes, also where it is one of Windows, and without
// one at its end.
func slashed(directory string) string {
	if !strings.HasPrefix(directory, "/") {
		directory = strings.ReplaceAll(directory, `\`, "/")
	}
	return strings.TrimRight(directory, "/")
}

// named reports whether the root session has this id, or this in its title.
func named(sessions []string, p question.Place) bool {
	return slices.ContainsFunc(sessions, func(s string) bool {
		return s == string(p.Root) || strings.Contains(normal(p.Title), normal(s))
	})
}

// subagent reports whether the ask comes from another session than the root.
func subagent(a Ask) bool {
	return a.Place.Root != "" && a.Request.Session != a.Place.Root
}

func anyFits(globs []string, text string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool { return fits(glob, text) })
}

// fits reports whether the whole text is as the glob says: * is any text, all else is
// itself, but for case and the amount of white space.
func fits(glob, text string) bool {
	return matches(normal(glob), normal(text), func(string) bool { return true })
}

// matches is fits to the letter, where * is only text that may stand there. If a text
// may, so must every part of it.
func matches(glob, text string, may func(string) bool) bool {
	parts := strings.Split(glob, "*")
	last := len(parts) - 1
	if last == 0 {
		return text == glob
	}
	text, ok := strings.CutPrefix(text, parts[0])
	if !ok {
		return false
	}
	for _, part := range parts[1:last] {
		gap, rest, ok := strings.Cut(text, part)
		if !ok || !may(gap) {
			return false
		}
		text = rest
	}
	gap, ok := strings.CutSuffix(text, parts[last])
	return ok && may(gap)
}

func normal(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
