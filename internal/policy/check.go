package policy

import (
	"slices"
	"strings"
	"time"

	"hermes/internal/question"
)

// check looks for what is wrong between the parts of a file, and completes the rules.
func (f *file) check() {
	f.checkPeople()
	f.checkRemote()
	names := map[string]int{}
	for i := range f.rules {
		r := &f.rules[i]
		if first, ok := names[r.it.Name]; ok && r.it.Name != "" {
			f.wrong.add(r.line("name"), "rule %q is there already, on line %d; give this one another name", r.it.Name, first)
		} else {
			names[r.it.Name] = r.line("name")
		}
		f.checkRule(r)
		f.checkReached(r, f.rules[:i])
	}
}

func (f *file) checkPeople() {
	seen := map[question.UserID]int{}
	answers := false
	for _, p := range f.people {
		if first, ok := seen[p.it.ID]; ok && p.it.ID != 0 {
			f.wrong.add(p.line("id"), "id %d is given to two people; the first is on line %d", p.it.ID, first)
		} else {
			seen[p.it.ID] = p.line("id")
		}
		answers = answers || p.at.get("roles") != nil
	}
	if !answers {
		f.wrong.add(1, "nobody may answer; add a [[person]] with id, name and roles")
	}
}

func (f *file) checkRule(r *filed[entry]) {
	f.checkAsk(r)
	f.checkRights(r)
	f.checkDecision(r)
	f.checkClock(r)
	if r.it.Exclusive && r.at.get("claim") == nil {
		f.wrong.add(r.line("claim_exclusive"), `claim_exclusive does nothing without claim, such as claim = "15m"`)
	}
	f.checkHours(r, "quiet", &r.it.Quiet, f.zone)
	f.checkHours(r, "hours", &r.it.when.Hours, f.hours)
}

// checkHours sees that hours have a zone, and a zone hours.
func (f *file) checkHours(r *filed[entry], key string, h *Hours, zone *time.Location) {
	switch {
	case h.Zone != nil && r.at.get(key) == nil:
		f.wrong.add(r.line(key+"_zone"), `%s_zone does nothing without %s, such as %[2]s = "22:00-07:00"`, key, key)
	case h.Zone == nil && !h.none():
		h.Zone = zone
	}
}

// checkAsk finds conditions that no ask can meet together.
func (f *file) checkAsk(r *filed[entry]) {
	for _, key := range []string{"permission", "pattern", "approvals"} {
		if r.at.get(key) != nil && r.it.when.Ask == questions {
			f.wrong.add(r.line(key), `%s is for permission asks, and this rule is for questions alone (line %d)`, key, r.line("ask"))
		}
	}
	for _, key := range []string{"header", "header_regex", "text", "text_regex", "option"} {
		if r.at.get(key) != nil && r.it.when.permissionsOnly() {
			f.wrong.add(r.line(key), `%s is for questions, and this rule is for permission asks alone (line %d)`, key, r.first("ask", "permission", "pattern"))
		}
	}
	if r.at.get("approvals") != nil && r.it.when.Ask != questions && !r.it.when.permissionsOnly() {
		f.wrong.add(r.line("approvals"), `approvals is for permission asks, and this rule fits questions too; add ask = "permission"`)
	}
}

// checkRights finds roles that nobody has, and more approvals than people.
func (f *file) checkRights(r *filed[entry]) {
	for _, role := range r.it.Roles {
		if !slices.ContainsFunc(f.people, func(p filed[Person]) bool { return p.it.has([]string{role}) }) {
			f.wrong.add(r.line("roles"), "nobody has the role %q; there are: %s", role, strings.Join(f.roles(), ", "))
		}
	}
	able := 0
	for _, p := range f.people {
		if p.it.has(r.it.Roles) {
			able++
		}
	}
	if r.it.Approvals > able {
		f.wrong.add(r.line("approvals"), "%d people must approve, and only %d may", r.it.Approvals, able)
	}
	r.it.Approvals = max(r.it.Approvals, 1)
}

// roles are all that people have.
func (f *file) roles() []string {
	var all []string
	for _, p := range f.people {
		all = append(all, p.it.Roles...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
