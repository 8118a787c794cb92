package policy

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
)

// check looks for mistakes that show only when parts of the file are compared, and fills in
// what the rules leave out.
func (f *file) check() {
	f.checkPeople()
	f.checkRemote()
	names := map[string]int{}
	for i := range f.rules {
		r := &f.rules[i]
		if first, ok := names[r.value.Name]; ok && r.value.Name != "" {
			f.mistakes.add(r.lineOf("name"), "rule %q is there already, on line %d; give this one another name", r.value.Name, first)
		} else {
			names[r.value.Name] = r.lineOf("name")
		}
		f.checkRule(r)
		f.checkReached(r, f.rules[:i])
	}
}

func (f *file) checkPeople() {
	seen := map[chat.UserID]int{}
	answers := false
	for _, p := range f.people {
		if first, ok := seen[p.value.ID]; ok && p.value.ID != 0 {
			f.mistakes.add(p.lineOf("id"), "id %d is given to two people; the first is on line %d", p.value.ID, first)
		} else {
			seen[p.value.ID] = p.lineOf("id")
		}
		answers = answers || p.table.get("roles") != nil
	}
	if !answers {
		f.mistakes.add(1, "nobody may answer; add a [[person]] with id, name and roles")
	}
}

func (f *file) checkRule(r *located[conditionalRule]) {
	f.checkAsk(r)
	f.checkRights(r)
	f.checkDecision(r)
	f.checkClock(r)
	if r.value.Exclusive && r.table.get("claim") == nil {
		f.mistakes.add(r.lineOf("claim_exclusive"), `claim_exclusive does nothing without claim, such as claim = "15m"`)
	}
	f.checkHours(r, "quiet", &r.value.Quiet, f.zone)
	f.checkHours(r, "hours", &r.value.when.Hours, f.hours)
}

// checkHours refuses a zone without hours, and gives hours without a zone the file's.
func (f *file) checkHours(r *located[conditionalRule], key string, h *Hours, zone *time.Location) {
	switch {
	case h.Zone != nil && r.table.get(key) == nil:
		f.mistakes.add(r.lineOf(key+"_zone"), `%s_zone does nothing without %s, such as %[2]s = "22:00-07:00"`, key, key)
	case h.Zone == nil && !h.isZero():
		h.Zone = zone
	}
}

// checkAsk finds conditions that no ask can meet at once.
func (f *file) checkAsk(r *located[conditionalRule]) {
	for _, key := range []string{"permission", "pattern", "approvals", "approver_not_owner"} {
		if r.table.get(key) != nil && r.value.when.Ask == questions {
			f.mistakes.add(r.lineOf(key), `%s is for permission asks, and this rule is for questions alone (line %d)`, key, r.lineOf("ask"))
		}
	}
	for _, key := range []string{"header", "header_regex", "text", "text_regex", "option"} {
		if r.table.get(key) != nil && r.value.when.permissionsOnly() {
			f.mistakes.add(r.lineOf(key), `%s is for questions, and this rule is for permission asks alone (line %d)`, key, r.firstLineOf("ask", "permission", "pattern"))
		}
	}
	for _, key := range []string{"approvals", "approver_not_owner"} {
		if r.table.get(key) != nil && r.value.when.Ask != questions && !r.value.when.permissionsOnly() {
			f.mistakes.add(r.lineOf(key), `%s is for permission asks, and this rule fits questions too; add ask = "permission"`, key)
		}
	}
}

// checkRights finds roles that nobody has, and more approvals than people.
func (f *file) checkRights(r *located[conditionalRule]) {
	for _, role := range r.value.Roles {
		if !slices.ContainsFunc(f.people, func(p located[Person]) bool { return p.value.hasRole([]string{role}) }) {
			f.mistakes.add(r.lineOf("roles"), "nobody has the role %q; there are: %s", role, strings.Join(f.allRoles(), ", "))
		}
	}
	able := 0
	for _, p := range f.people {
		if p.value.hasRole(r.value.Roles) {
			able++
		}
	}
	switch {
	case r.value.Approvals > 0 && able == 0:
		f.mistakes.add(r.lineOf("approvals"), "nobody may approve")
	case r.value.Approvals > able:
		f.mistakes.add(r.lineOf("approvals"), "%d people must approve, and only %d may", r.value.Approvals, able)
	}
	r.value.Approvals = max(r.value.Approvals, 1)
}

// allRoles are all that people have.
func (f *file) allRoles() []string {
	var all []string
	for _, p := range f.people {
		all = append(all, p.value.Roles...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

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
