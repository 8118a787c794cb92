package policy

import (
	"regexp"
	"slices"
	"strconv"
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

// Fit is the closed set of how a condition, or a whole rule, fits an ask. Only one that is NotMet keeps a rule from fitting: what
// hermes does not know, or cannot understand, may be what the rule is for.
type Fit string

const (
	Met      Fit = "met"
	NotMet   Fit = "not met"
	NotKnown Fit = "not known" // counts as met: what it looks at is not known of the ask yet
	Unclear  Fit = "unclear"   // counts as met: what it looks at cannot be understood
)

// Counts reports whether it counts as met.
func (f Fit) Counts() bool { return f != NotMet }

// fitOf is the fit of a condition of which everything is known.
func fitOf(met bool) Fit {
	if met {
		return Met
	}
	return NotMet
}

// fitAsk is how the rule fits an ask: as the least certain of its conditions does.
func (e conditionalRule) fitAsk(a Ask) Fit {
	rule := Met
	for _, t := range e.fitConditions(a) {
		switch {
		case t.fit == NotMet:
			return NotMet
		case t.fit == NotKnown, rule == Met:
			rule = t.fit
		}
	}
	return rule
}

// ruleFor returns the rule for an ask that it fits. Where that is not certain the rule answers nothing, and neither does its
// deadline, which wants every question to meet the conditions as well.
func (e conditionalRule) ruleFor(a Ask, fit Fit) Rule {
	r := e.forOwner(e.Rule.clone(), a.Owner)
	if r.answersQuestions() && fit != Met {
		r.Decide = Forward
	}
	if r.OnTimeout.Answers() && (fit != Met || !e.when.allMeet(a.Request.Items)) {
		r.OnTimeout = question.ExpireReject
	}
	return r
}

// fitPattern compares the patterns with everything that is asked for: one that fits any of it is enough.
func (c conditions) fitPattern(p *question.Permission) Fit {
	fit := NotMet
	if !fullyKnown(p) {
		fit = NotKnown
	}
	for _, text := range requestedTexts(p) {
		forms, clear := formsOf(p, text)
		for _, glob := range c.Pattern {
			if slices.ContainsFunc(forms, func(form string) bool { return globFits(glob, form) }) {
				return Met
			}
			if fit == NotMet && !clear && !endsOnly(p, glob) {
				fit = Unclear
			}
		}
	}
	return fit
}

// formsOf returns the spellings of a text that is asked for, and false if it may mean
// something else than it says.
func formsOf(p *question.Permission, text string) (forms []string, clear bool) {
	switch {
	case isShell(p) || p.Command != "" && text == p.Command:
		return []string{text}, true
	case ofFiles(p.Kind):
		return pathForms(text), !mayClimb(text) && !p.MayReachOthers()
	case strings.EqualFold(p.Kind, "webfetch") || isAddress(text):
		return addressForms(text)
	}
	return []string{text}, true
}

// endsOnly reports whether the glob looks at a path's end alone, which is the same however
// the path begins.
func endsOnly(p *question.Permission, glob string) bool {
	return ofFiles(p.Kind) && strings.HasPrefix(glob, "*") && !p.MayReachOthers()
}

// requestedTexts are the patterns, the files and the command that are asked for.
func requestedTexts(p *question.Permission) []string {
	texts := append(slices.Clone(p.Patterns), p.Paths()...)
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

// globFits reports whether the whole text is as the glob says: * is any text, all else is
// itself, but for case and the amount of white space.
func globFits(glob, text string) bool {
	parts := strings.Split(foldText(glob), "*")
	text = foldText(text)
	last := len(parts) - 1
	if last == 0 {
		return text == parts[0]
	}
	text, ok := strings.CutPrefix(text, parts[0])
	if !ok {
		return false
	}
	for _, part := range parts[1:last] {
		if _, text, ok = strings.Cut(text, part); !ok {
			return false
		}
	}
	return strings.HasSuffix(text, parts[last])
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

// conditionFit is how one condition of a rule fits an ask.
type conditionFit struct {
	key  string
	want []string // what the file has; one of them is enough
	fit  Fit
}

// fitConditions compares every condition of the rule with the ask, in the order of the
// documentation.
func (e conditionalRule) fitConditions(a Ask) []conditionFit {
	c := e.when
	list := c.fitKind(a.Request.Permission)
	if len(c.Directory) > 0 {
		list = append(list, conditionFit{"directory", c.Directory, c.fitDirectory(a)})
	}
	list = append(list, c.fitPlace(a)...)
	list = append(list, c.fitLink(a)...)
	if !c.Hours.isZero() {
		list = append(list, conditionFit{"hours", []string{c.Hours.String()}, fitOf(c.Hours.covers(a.At.In(c.Hours.Zone)))})
	}
	return append(list, c.fitContent(a.Request, e.answersQuestions())...)
}

// fitKind compares the conditions on the kind of ask, and on the permission.
func (c conditions) fitKind(p *question.Permission) []conditionFit {
	var list []conditionFit
	if c.Ask != anyAsk {
		list = append(list, conditionFit{"ask", []string{string(c.Ask)}, fitOf((p == nil) == (c.Ask == questions))})
	}
	if len(c.Permission) > 0 {
		list = append(list, conditionFit{"permission", c.Permission, fitOf(p != nil && anyFits(c.Permission, p.Kind))})
	}
	switch {
	case len(c.Pattern) == 0:
		return list
	case p == nil:
		return append(list, conditionFit{"pattern", c.Pattern, NotMet})
	}
	return append(list, conditionFit{"pattern", c.Pattern, c.fitPattern(p)})
}

// fitPlace compares the conditions on who asks. An ask of another program than OpenCode is
// known to have no session and no agent.
func (c conditions) fitPlace(a Ask) []conditionFit {
	var list []conditionFit
	add := func(key string, want []string, known, met bool) {
		fit := fitOf(met)
		if !known {
			fit = NotKnown
		}
		list = append(list, conditionFit{key, want, fit})
	}
	program := a.Request.Session == ""
	placed := program || a.Place.Root != ""
	if len(c.Agent) > 0 {
		add("agent", c.Agent, program || a.Request.Agent != "", anyFits(c.Agent, a.Request.Agent))
	}
	if len(c.Session) > 0 {
		add("session", c.Session, placed, sessionFits(c.Session, a.Place))
	}
	if c.Subagent != nil {
		add("subagent", []string{strconv.FormatBool(*c.Subagent)}, placed, *c.Subagent == fromSubagent(a))
	}
	return list
}

// fitLink compares the conditions on the link and its owner, which hermes knows of each ask. A name that the machine gave itself is
// no fact, but for a rule that names the owner as well: then no other machine can get in by it.
func (c conditions) fitLink(a Ask) []conditionFit {
	var list []conditionFit
	if len(c.Link) > 0 {
		fit := fitOf(a.Link != "" && anyFits(c.Link, a.Link))
		if a.LinkByMachine && len(c.Owner) == 0 {
			fit = Unclear
		}
		list = append(list, conditionFit{"link", c.Link, fit})
	}
	if len(c.Owner) > 0 {
		var want []string
		for _, id := range c.Owner {
			want = append(want, strconv.FormatInt(int64(id), 10))
		}
		list = append(list, conditionFit{"owner", want, fitOf(slices.Contains(c.Owner, a.Owner))})
	}
	return list
}

// fitContent compares the conditions on the questions. A rule that answers must fit every
// question, so that none hides behind another; for any other rule one is enough.
func (c conditions) fitContent(r question.Request, answers bool) []conditionFit {
	var list []conditionFit
	tests := c.itemConditions()
	for _, t := range tests {
		met := slices.ContainsFunc(r.Items, t.met)
		if answers {
			met = met && !slices.ContainsFunc(r.Items, func(i question.Item) bool { return !t.met(i) })
		}
		list = append(list, conditionFit{t.key, t.want, fitOf(met)})
	}
	if len(tests) > 1 && !answers {
		list = append(list, conditionFit{"all in one question", nil, fitOf(slices.ContainsFunc(r.Items, c.itemMeets))})
	}
	return list
}

// itemCondition is one condition on a question of an ask.
type itemCondition struct {
	key  string
	want []string
	met  func(question.Item) bool
}

// itemConditions are the conditions that the rule has on single questions.
func (c conditions) itemConditions() []itemCondition {
	all := []itemCondition{
		{"header", c.Header, func(i question.Item) bool { return anyPart(c.Header, i.Header) }},
		{"header_regex", regexSources(c.HeaderRegex), func(i question.Item) bool { return anyFound(c.HeaderRegex, i.Header) }},
		{"text", c.Text, func(i question.Item) bool { return anyPart(c.Text, i.Text) }},
		{"text_regex", regexSources(c.TextRegex), func(i question.Item) bool { return anyFound(c.TextRegex, i.Text) }},
		{"option", c.Option, func(i question.Item) bool {
			return slices.ContainsFunc(i.Options, func(o question.Option) bool { return anyFits(c.Option, o.Label) })
		}},
	}
	return slices.DeleteFunc(all, func(t itemCondition) bool { return len(t.want) == 0 })
}

// itemMeets reports whether one question meets all of the conditions.
func (c conditions) itemMeets(i question.Item) bool {
	return !slices.ContainsFunc(c.itemConditions(), func(t itemCondition) bool { return !t.met(i) })
}

// allMeet reports whether every question does.
func (c conditions) allMeet(items []question.Item) bool {
	return !slices.ContainsFunc(items, func(i question.Item) bool { return !c.itemMeets(i) })
}

// anyPart reports whether one of the parts is in the text, but for case and the amount
// of white space.
func anyPart(parts []string, text string) bool {
	text = foldText(text)
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, foldText(part)) })
}

func anyFound(list []*regexp.Regexp, text string) bool {
	return slices.ContainsFunc(list, func(r *regexp.Regexp) bool { return r.MatchString(text) })
}

func regexSources(list []*regexp.Regexp) []string {
	var all []string
	for _, r := range list {
		all = append(all, r.String())
	}
	return all
}
