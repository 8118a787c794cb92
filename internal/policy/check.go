package policy

import (
	"slices"
	"strings"
	"time"

	"hermes/internal/chat"
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
	if r.value.Approvals > able {
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
