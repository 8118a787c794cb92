package policy

import (
	"fmt"
	"strings"

	"hermes/internal/question"
)

// checkDecision finds decisions that contradict the rule's conditions, or that lack a setting.
func (f *file) checkDecision(r *located[conditionalRule]) {
	if r.value.Decide == allowOnce {
		f.mistakes.add(r.lineOf("decide"), `decide = "allow-once": rules allow nothing any more, only a person does; take the rule out, and write what may run unasked into opencode.json: %s`, r.value.when.allowedInOpenCode())
		return
	}
	f.checkParts(r)
	if !r.value.decidesAlone() {
		f.uselessWithout(r, "notify", `decide = "reject" or another decision of the rule itself`)
		return
	}
	f.checkKind(r)
	f.checkUnseen(r)
	f.checkUndo(r)
	if r.value.Approvals > 1 {
		f.mistakes.add(r.lineOf("approvals"), "approvals are of people, and rule %q decides by itself (line %d); keep one of the two", r.value.Name, r.lineOf("decide"))
	}
}

// checkParts checks that decide, answers, fallback and prefer_recommended fit each other.
func (f *file) checkParts(r *located[conditionalRule]) {
	switch d := r.value.AutoDecision; {
	case d.Decide == Auto && r.table.get("answers") == nil:
		f.mistakes.add(r.lineOf("decide"), `decide = "auto" needs answers, such as answers = [{ header = "Database", answer = "SQLite" }]`)
	case d.Decide != Auto:
		f.uselessWithout(r, "answers", `decide = "auto"`)
		f.uselessWithout(r, "fallback", `decide = "auto"`)
	}
	first := r.value.Decide == AcceptFirst || r.value.Fallback == AcceptFirst ||
		!r.value.decidesAlone() && (r.value.OnTimeout == question.ExpireAccept || r.value.OnTimeout == "")
	if !first {
		f.uselessWithout(r, "prefer_recommended", fmt.Sprintf("a first choice: decide, fallback or on_timeout = %q", question.ExpireAccept))
	}
}

// uselessWithout reports a key, if the rule has it, as useless without another setting.
func (f *file) uselessWithout(r *located[conditionalRule], key, other string) {
	if r.table.get(key) != nil {
		f.mistakes.add(r.lineOf(key), "%s does nothing without %s", key, other)
	}
}

// checkKind checks that the rule fits only asks that its decision is for. A rule that
// decides permission asks must name the permission and the pattern.
func (f *file) checkKind(r *located[conditionalRule]) {
	when, line := r.value.when, r.lineOf("decide")
	switch {
	case r.value.answersQuestions() && when.permissionsOnly():
		f.mistakes.add(line, `decide = %q answers questions, and this rule is for permission asks alone (line %d); there is "reject"`, r.value.Decide, r.firstLineOf("ask", "permission", "pattern"))
	case r.value.answersQuestions() && !when.questionsOnly():
		f.mistakes.add(line, `decide = %q answers questions, and this rule fits permission asks too; add ask = "question"`, r.value.Decide)
	case !when.questionsOnly() && (len(when.Permission) == 0 || len(when.Pattern) == 0):
		f.mistakes.add(line, "decide = %q would decide permission asks, for which a rule must name the permission and the pattern%s", r.value.Decide, orQuestions(when))
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

// checkNames refuses permissions that fit anything.
func (f *file) checkNames(r *located[conditionalRule]) {
	for _, kind := range r.value.when.Permission {
		if matchesAnything(kind) {
			f.mistakes.add(r.lineOf("permission"), "a rule that decides must name the permission, and %q is any", kind)
		}
	}
}

// allowedInOpenCode is the setting of OpenCode that allows what the conditions name: of several entries that match, the last
// counts. It is an example where they name no permission and pattern that OpenCode would read the same way.
func (c conditions) allowedInOpenCode() string {
	kinds, patterns := c.Permission, c.Pattern
	if len(kinds)*len(patterns) == 0 || strings.ContainsAny(strings.Join(kinds, ""), "*?") || strings.ContainsAny(strings.Join(patterns, ""), "?") {
		kinds, patterns = []string{shell}, []string{"git status *"}
	}
	entries := `"*": "ask"`
	for _, glob := range patterns {
		entries += fmt.Sprintf(", %q: \"allow\"", glob)
	}
	var objects []string
	for _, kind := range kinds {
		objects = append(objects, fmt.Sprintf("%q: {%s}", kind, entries))
	}
	return `"permission": {` + strings.Join(objects, ", ") + `}`
}

func matchesAnything(glob string) bool { return strings.Trim(glob, "* ") == "" }

// checkUnseen finds settings for people in a rule that shows people nothing.
func (f *file) checkUnseen(r *located[conditionalRule]) {
	for _, key := range []string{"roles", "chats", "claim", "escalate", "quiet", "timeout", "on_timeout", "remind"} {
		if r.table.get(key) != nil && !r.value.Notify {
			f.mistakes.add(r.lineOf(key), "%s does nothing, for rule %q decides by itself (line %d) and shows nothing; add notify = true, or leave it out", key, r.value.Name, r.lineOf("decide"))
		}
	}
}

// checkUndo finds a rule that decides, holds its decision so that it can be taken back, and shows it to nobody.
func (f *file) checkUndo(r *located[conditionalRule]) {
	if r.value.decidesAlone() && r.value.UndoOr(0) > 0 && !r.value.Notify {
		f.mistakes.add(r.lineOf("undo"), "undo does nothing, for rule %q decides by itself (line %d) and nobody can take back what no chat shows; add notify = true, or leave it out", r.value.Name, r.lineOf("decide"))
	}
}

// checkClock finds times that never come, and deadlines that would allow a permission.
func (f *file) checkClock(r *located[conditionalRule]) {
	if r.value.OnTimeout.Answers() && r.value.when.permissionsOnly() {
		f.mistakes.add(r.lineOf("on_timeout"), `on_timeout = %q is for questions: no permission is given because nobody answers`, r.value.OnTimeout)
	}
	if r.value.Timeout == 0 {
		return
	}
	for _, d := range r.value.Remind {
		if d >= r.value.Timeout {
			f.mistakes.add(r.lineOf("remind"), "the reminder after %v never comes, for the timeout is %v (line %d)", d, r.value.Timeout, r.lineOf("timeout"))
		}
	}
	for _, e := range r.value.Escalation {
		if e.After >= r.value.Timeout && r.value.OnTimeout.Decides() {
			f.mistakes.add(r.lineOf("escalate"), "the escalation after %v never comes, for the timeout is %v (line %d)", e.After, r.value.Timeout, r.lineOf("timeout"))
		}
	}
}
