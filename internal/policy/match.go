package policy

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/session"
)

// conditions are when a rule fits. An empty one always does.
type conditions struct {
	Ask        askKind
	Permission []string // globs
	Pattern    []string // globs
	Directory  []string // globs
	Agent      []string // globs
	Session    []string // ids, or parts of the title
	Link       []string // globs
	Owner      []chat.UserID
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

// fitEverything reports whether there is no condition.
func (c conditions) fitEverything() bool {
	lists := len(c.Permission) + len(c.Pattern) + len(c.Directory) + len(c.Agent) + len(c.Session) + len(c.Link) + len(c.Owner)
	return c.Ask == anyAsk && lists == 0 && c.Subagent == nil && c.Hours.isZero() && !c.ofItems()
}

// matchAsk reports whether the rule fits, and how far that is certain. What is not known yet,
// or cannot be understood, meets the conditions of a rule that restricts and not those of
// one that allows.
func (e conditionalRule) matchAsk(a Ask) fitResult {
	f := fitResult{fits: true, known: true}
	for _, t := range e.evalConditions(a) {
		if !t.fits && t.known {
			return fitResult{known: true}
		}
		f.fits, f.known, f.vague = f.fits && t.fits, f.known && t.known, f.vague || t.vague
	}
	return f
}

// fitResult is whether a rule fits an ask, and how certain that is.
type fitResult struct {
	fits  bool
	known bool // all is known that the rule looks at
	vague bool // it fits because something cannot be understood
}

// isCertain reports whether the rule fits for certain, so that no rule after it counts.
func (f fitResult) isCertain() bool { return f.fits && f.known && !f.vague }

// ruleFor returns the rule for an ask that it fits. Its deadline answers nothing where only a
// part of the ask certainly meets the conditions.
func (e conditionalRule) ruleFor(a Ask, f fitResult) Rule {
	r := e.forOwner(e.Rule.clone(), a.Owner)
	if r.OnTimeout.Answers() && (!f.isCertain() || !e.when.allMeet(a.Request.Items)) {
		r.OnTimeout = question.ExpireReject
	}
	return r
}

// evalPattern evaluates the patterns of a rule that restricts: they fit if one fits anything
// that is asked for. What hermes does not know or cannot understand may be anything, so
// they fit that as well.
func (c conditions) evalPattern(p *question.Permission) conditionResult {
	t := conditionResult{key: "pattern", want: c.Pattern, known: true}
	texts := requestedTexts(p)
	if len(texts) == 0 {
		t.fits, t.known = true, false
		return t
	}
	vague := false
	for _, text := range texts {
		forms, clear := formsOf(p, text)
		for _, glob := range c.Pattern {
			t.fits = t.fits || slices.ContainsFunc(forms, func(form string) bool { return globFits(glob, form) })
			vague = vague || !clear && !endsOnly(p, glob)
		}
	}
	if !t.fits {
		t.fits, t.vague, t.known = vague, vague, fullyKnown(p)
	}
	return t
}

// formsOf returns the spellings of a text that is asked for, and false if it may mean
// something else than it says.
func formsOf(p *question.Permission, text string) (forms []string, clear bool) {
	switch {
	case isShell(p) || p.Command != "" && text == p.Command:
		return []string{text}, true
	case ofFiles(p.Kind):
		return pathForms(text), !mayClimb(text)
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

// requestedTexts are the patterns and the command that are asked for.
func requestedTexts(p *question.Permission) []string {
	texts := slices.Clone(p.Patterns)
	if p.Command != "" {
		texts = append(texts, p.Command)
	}
	return texts
}

// fullyKnown reports whether hermes knows all that is asked for. OpenCode names the parts of
// a command in the ask, and the command itself only in the tool call.
func fullyKnown(p *question.Permission) bool {
	return len(requestedTexts(p)) > 0 && (!isShell(p) || p.Command != "")
}

// sessionFits reports whether the root session has this id, or this in its title.
func sessionFits(sessions []string, p session.Place) bool {
	return slices.ContainsFunc(sessions, func(s string) bool {
		return s == string(p.Root) || strings.Contains(foldText(p.Title), foldText(s))
	})
}

// fromSubagent reports whether the ask comes from another session than the root.
func fromSubagent(a Ask) bool {
	return a.Place.Root != "" && a.Request.Session != a.Place.Root
}

func anyFits(globs []string, text string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool { return globFits(glob, text) })
}

// anyFitsFor is anyFits for a rule that restricts, and to the letter for one that allows.
func anyFitsFor(allows bool, globs []string, text string) bool {
	if !allows {
		return anyFits(globs, text)
	}
	return slices.ContainsFunc(globs, func(glob string) bool { return letterFits(glob, text) })
}

// globFits reports whether the whole text is as the glob says: * is any text, all else is
// itself, but for case and the amount of white space.
func globFits(glob, text string) bool { return matchGlob(foldText(glob), foldText(text), anyText) }

// letterFits is globFits, to the letter.
func letterFits(glob, text string) bool { return matchGlob(glob, text, anyText) }

func anyText(string) bool { return true }

// matchGlob is letterFits, where * stands only for text that may returns true for. If it
// does for a text, it must for every part of it.
func matchGlob(glob, text string, may func(string) bool) bool {
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

// foldText replaces white space by single spaces, and letters that differ only in case by
// one of them: also such as ſ, which a file system may take for s.
func foldText(s string) string {
	return strings.Map(foldRune, strings.Join(strings.Fields(s), " "))
}

// foldRune is the first of the characters that are one but for case.
func foldRune(c rune) rune {
	first := c
	for next := unicode.SimpleFold(c); next != c; next = unicode.SimpleFold(next) {
		first = min(first, next)
	}
	return first
}
