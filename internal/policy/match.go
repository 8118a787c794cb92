package policy

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"hermes/internal/question"
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

// fit reports whether the rule fits, and how far that is certain. What is not known yet,
// or cannot be understood, meets the conditions of a rule that restricts and not those of
// one that allows.
func (e entry) fit(a Ask) fitting {
	f := fitting{fits: true, known: true}
	for _, t := range e.tests(a) {
		if !t.fits && t.known {
			return fitting{known: true}
		}
		f.fits, f.known, f.vague = f.fits && t.fits, f.known && t.known, f.vague || t.vague
	}
	return f
}

// fitting is whether a rule fits an ask.
type fitting struct {
	fits  bool
	known bool // all is known that the rule looks at
	vague bool // it fits because something cannot be understood
}

// certain reports whether the rule fits, and no rule behind it can be the right one.
func (f fitting) certain() bool { return f.fits && f.known && !f.vague }

// given is the rule for an ask that it fits. The clock takes no first choices where only a
// part of the ask meets the conditions, or it is not certain that it does.
func (e entry) given(a Ask, f fitting) Rule {
	r := e.Rule.clone()
	if r.OnTimeout == question.ExpireAccept && (!f.certain() || !e.when.allMeet(a.Request.Items)) {
		r.OnTimeout = question.ExpireReject
	}
	return r
}

// patternTest is about what a rule that restricts has for a pattern: it fits if a glob fits
// anything that is asked for. What cannot be seen may be anything, and so may what cannot
// be understood.
func (c conditions) patternTest(p *question.Permission) test {
	t := test{key: "pattern", want: c.Pattern, known: true}
	texts := wanted(p)
	if len(texts) == 0 {
		t.fits, t.known = true, false
		return t
	}
	vague := false
	for _, text := range texts {
		forms, clear := formsOf(p, text)
		for _, glob := range c.Pattern {
			t.fits = t.fits || slices.ContainsFunc(forms, func(form string) bool { return fits(glob, form) })
			vague = vague || !clear && !endsOnly(p, glob)
		}
	}
	if !t.fits {
		t.fits, t.vague, t.known = vague, vague, whole(p)
	}
	return t
}

// formsOf are the texts that stand for one that is asked for, and false if it may be
// another thing than it says.
func formsOf(p *question.Permission, text string) (forms []string, clear bool) {
	switch {
	case isShell(p) || p.Command != "" && text == p.Command:
		return []string{text}, true
	case ofFiles(p.Kind):
		return pathForms(text), !climbs(text)
	case strings.EqualFold(p.Kind, "webfetch") || isAddress(text):
		return addressForms(text)
	}
	return []string{text}, true
}

// endsOnly reports whether the glob looks at a path's end alone, which is the same however
// the path begins.
func endsOnly(p *question.Permission, glob string) bool {
	return ofFiles(p.Kind) && strings.HasPrefix(glob, "*")
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
	return len(wanted(p)) > 0 && (!isShell(p) || p.Command != "")
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

// anyFitsFor is anyFits for a rule that restricts, and to the letter for one that allows.
func anyFitsFor(allows bool, globs []string, text string) bool {
	if !allows {
		return anyFits(globs, text)
	}
	return slices.ContainsFunc(globs, func(glob string) bool { return letterFits(glob, text) })
}

// fits reports whether the whole text is as the glob says: * is any text, all else is
// itself, but for case and the amount of white space.
func fits(glob, text string) bool { return matches(normal(glob), normal(text), anyText) }

// letterFits is fits to the letter.
func letterFits(glob, text string) bool { return matches(glob, text, anyText) }

func anyText(string) bool { return true }

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

// normal has one space for any white space, and one letter for all that differ in case
// alone: also for those such as ſ, which a file system may take for s.
func normal(s string) string {
	return strings.Map(folded, strings.Join(strings.Fields(s), " "))
}

// folded is the first of the characters that are one but for case.
func folded(c rune) rune {
	first := c
	for next := unicode.SimpleFold(c); next != c; next = unicode.SimpleFold(next) {
		first = min(first, next)
	}
	return first
}
