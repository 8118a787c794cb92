package policy

import "slices"

// checkReached finds a rule that never comes to its turn, as another one before it
// fits wherever it does.
func (f *file) checkReached(r *filed[entry], before []filed[entry]) {
	for _, b := range before {
		switch {
		case b.it.when.none():
			f.wrong.add(r.at.line, "rule %q is never reached, for rule %q on line %d fits everything; put that one last", r.it.Name, b.it.Name, b.at.line)
		case b.it.covers(r.it):
			f.wrong.add(r.at.line, "rule %q is never reached, for rule %q on line %d fits all that it fits; put the narrower one first", r.it.Name, b.it.Name, b.at.line)
		default:
			continue
		}
		return
	}
}

// covers reports whether the rule certainly fits whatever the other one fits. Globs
// and expressions are compared as texts: it may miss some, and never finds too much.
func (e entry) covers(other entry) bool {
	a, b := e.when, other.when
	narrow := e.Decide == AllowOnce || e.answers() && !other.answers() // it must fit more than one part, and to the letter
	if narrow && (len(a.Permission)+len(a.Pattern)+len(a.Directory)+len(a.Agent) > 0 || a.ofItems()) {
		return false
	}
	return a.coversKind(b) &&
		within(a.Permission, b.Permission) && within(a.Pattern, b.Pattern) && within(a.Directory, b.Directory) &&
		within(a.Agent, b.Agent) && within(a.Session, b.Session) &&
		(a.Subagent == nil || b.Subagent != nil && *a.Subagent == *b.Subagent) &&
		(a.Hours.none() || a.Hours.String() == b.Hours.text()) &&
		a.coversItems(b)
}

func (c conditions) coversKind(other conditions) bool {
	switch c.Ask {
	case questions:
		return other.questionsOnly()
	case permission:
		return other.permissionsOnly()
	}
	return true
}

// coversItems compares what is asked of single questions.
func (c conditions) coversItems(other conditions) bool {
	return within(c.Header, other.Header) && within(sources(c.HeaderRegex), sources(other.HeaderRegex)) &&
		within(c.Text, other.Text) && within(sources(c.TextRegex), sources(other.TextRegex)) && within(c.Option, other.Option)
}

// within reports whether a condition with these values is met wherever one with the
// others is.
func within(values, others []string) bool {
	if len(values) == 0 {
		return true
	}
	strange := func(o string) bool { return !slices.Contains(values, o) }
	return len(others) > 0 && !slices.ContainsFunc(others, strange)
}

// text is String, empty for none.
func (h Hours) text() string {
	if h.none() {
		return ""
	}
	return h.String()
}
