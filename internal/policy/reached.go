package policy

import "slices"

// checkReached finds a rule that never counts, because one before it fits wherever it fits.
func (f *file) checkReached(r *located[conditionalRule], before []located[conditionalRule]) {
	for _, b := range before {
		switch {
		case b.value.when.fitEverything():
			f.mistakes.add(r.table.line, "rule %q is never reached, for rule %q on line %d fits everything; put that one last", r.value.Name, b.value.Name, b.table.line)
		case b.value.coversRule(r.value):
			f.mistakes.add(r.table.line, "rule %q is never reached, for rule %q on line %d fits all that it fits; put the narrower one first", r.value.Name, b.value.Name, b.table.line)
		default:
			continue
		}
		return
	}
}

// coversRule reports whether the rule certainly fits whatever the other one fits. Globs
// and expressions are compared as texts: it may miss some, and never finds too much.
func (e conditionalRule) coversRule(other conditionalRule) bool {
	a, b := e.when, other.when
	if e.answersQuestions() && !other.answersQuestions() && (len(a.Directory)+len(a.Agent) > 0 || a.ofItems()) { // it must fit for certain, and every question
		return false
	}
	if len(a.Link) > 0 && len(a.Owner) == 0 && len(b.Owner) > 0 { // see fitLink
		return false
	}
	return a.coversKind(b) &&
		includesAll(a.Permission, b.Permission) && includesAll(a.Pattern, b.Pattern) && includesAll(a.Directory, b.Directory) &&
		includesAll(a.Agent, b.Agent) && includesAll(a.Session, b.Session) && includesAll(a.Link, b.Link) && includesAll(a.Owner, b.Owner) &&
		(a.Subagent == nil || b.Subagent != nil && *a.Subagent == *b.Subagent) &&
		(a.Hours.isZero() || a.Hours.String() == b.Hours.textOrEmpty()) &&
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
	return includesAll(c.Header, other.Header) && includesAll(regexSources(c.HeaderRegex), regexSources(other.HeaderRegex)) &&
		includesAll(c.Text, other.Text) && includesAll(regexSources(c.TextRegex), regexSources(other.TextRegex)) && includesAll(c.Option, other.Option)
}

// includesAll reports whether a condition with these values is met wherever one with the
// others is.
func includesAll[T comparable](values, others []T) bool {
	if len(values) == 0 {
		return true
	}
	strange := func(o T) bool { return !slices.Contains(values, o) }
	return len(others) > 0 && !slices.ContainsFunc(others, strange)
}

// textOrEmpty is String, but empty for no hours.
func (h Hours) textOrEmpty() string {
	if h.isZero() {
		return ""
	}
	return h.String()
}
