package policy

import (
	"strings"

	"hermes/internal/question"
)

// checkDecision looks for decisions that cannot be, or that say less than they must.
func (f *file) checkDecision(r *filed[entry]) {
	f.checkParts(r)
	if !r.it.decides() {
		f.needs(r, "notify", `decide = "reject" or another decision of the rule itself`)
		return
	}
	f.checkKind(r)
	f.checkUnseen(r)
	if r.it.Approvals > 1 {
		f.wrong.add(r.line("approvals"), "approvals are of people, and rule %q decides by itself (line %d); keep one of the two", r.it.Name, r.line("decide"))
	}
}

// checkParts holds together what belongs to one decision.
func (f *file) checkParts(r *filed[entry]) {
	switch d := r.it.Deciding; {
	case d.Decide == Auto && r.at.get("answers") == nil:
		f.wrong.add(r.line("decide"), `decide = "auto" needs answers, such as answers = [{ header = "Database", answer = "SQLite" }]`)
	case d.Decide != Auto:
		f.needs(r, "answers", `decide = "auto"`)
		f.needs(r, "fallback", `decide = "auto"`)
	}
	first := r.it.Decide == AcceptFirst || r.it.Fallback == AcceptFirst ||
		!r.it.decides() && (r.it.OnTimeout == question.ExpireAccept || r.it.OnTimeout == "")
	if !first {
		f.needs(r, "prefer_recommended", `a first choice: decide, fallback or on_timeout = "accept-first"`)
	}
}

// needs notes that a key that is there does nothing.
func (f *file) needs(r *filed[entry], key, other string) {
	if r.at.get(key) != nil {
		f.wrong.add(r.line(key), "%s does nothing without %s", key, other)
	}
}

// checkKind sees that a decision is for asks that it can decide, and that a permission
// is never decided unless the rule names what for.
func (f *file) checkKind(r *filed[entry]) {
	when, line := r.it.when, r.line("decide")
	switch {
	case r.it.Decide == AllowOnce && when.questionsOnly():
		f.wrong.add(line, `decide = "allow-once" is for permission asks, and this rule is for questions alone (line %d)`, r.first("ask", "header", "header_regex", "text", "text_regex", "option"))
	case r.it.answers() && when.permissionsOnly():
		f.wrong.add(line, `decide = %q answers questions, and this rule is for permission asks alone (line %d); there is "allow-once" and "reject"`, r.it.Decide, r.first("ask", "permission", "pattern"))
	case r.it.answers() && !when.questionsOnly():
		f.wrong.add(line, `decide = %q answers questions, and this rule fits permission asks too; add ask = "question"`, r.it.Decide)
	case !when.questionsOnly() && (len(when.Permission) == 0 || len(when.Pattern) == 0):
		f.wrong.add(line, "decide = %q would decide permission asks, for which a rule must name the permission and the pattern%s", r.it.Decide, orQuestions(when))
	default:
		f.checkNames(r)
	}
}

func orQuestions(c conditions) string {
	if c.permissionsOnly() {
		return ""
	}
	return `; for questions alone add ask = "question"`
}

// checkNames refuses names of permissions and patterns that name nothing.
func (f *file) checkNames(r *filed[entry]) {
	for _, kind := range r.it.when.Permission {
		if anything(kind) {
			f.wrong.add(r.line("permission"), "a rule that decides must name the permission, and %q is any", kind)
		}
	}
	for _, glob := range r.it.when.Pattern {
		if r.it.Decide == AllowOnce && anything(glob) {
			f.wrong.add(r.line("pattern"), "a rule that allows must name what, and %q is anything", glob)
		}
	}
}

func anything(glob string) bool { return strings.Trim(glob, "* ") == "" }

// checkUnseen finds what is for people, where people see nothing.
func (f *file) checkUnseen(r *filed[entry]) {
	for _, key := range []string{"roles", "chats", "claim", "escalate", "quiet", "timeout", "on_timeout", "remind"} {
		if r.at.get(key) != nil && !r.it.Notify {
			f.wrong.add(r.line(key), "%s does nothing, for rule %q decides by itself (line %d) and shows nothing; add notify = true, or leave it out", key, r.it.Name, r.line("decide"))
		}
	}
}

// checkClock looks for times that never come, and for what time cannot do.
func (f *file) checkClock(r *filed[entry]) {
	if r.it.OnTimeout == question.ExpireAccept && r.it.when.permissionsOnly() {
		f.wrong.add(r.line("on_timeout"), `on_timeout = "accept-first" is for questions: no permission is given because nobody answers`)
	}
	if r.it.Timeout == 0 {
		return
	}
	for _, d := range r.it.Remind {
		if d >= r.it.Timeout {
			f.wrong.add(r.line("remind"), "the reminder after %v never comes, for the timeout is %v (line %d)", d, r.it.Timeout, r.line("timeout"))
		}
	}
	for _, e := range r.it.Escalation {
		if e.After >= r.it.Timeout && r.it.OnTimeout != question.ExpireWait {
			f.wrong.add(r.line("escalate"), "the escalation after %v never comes, for the timeout is %v (line %d)", e.After, r.it.Timeout, r.line("timeout"))
		}
	}
}
