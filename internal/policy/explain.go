package policy

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Trace is why a rule fits an ask, or does not.
type Trace struct {
	Rule  string
	Fits  bool
	Tests []Test // all of its conditions; none: it fits everything
}

// Test is one condition.
type Test struct {
	Condition string // as the file has it: header = "Database"
	Fit       Fit
}

// Explain says of every rule, up to the first that certainly fits, why it fits or does not.
// Rules before it that fit as well have their part in what [Ruleset.Rule] returns.
func (s *Ruleset) Explain(a Ask) []Trace {
	var list []Trace
	for _, e := range s.rules {
		fit := e.fitAsk(a)
		t := Trace{Rule: e.Name, Fits: fit.Counts()}
		for _, one := range e.fitConditions(a) {
			t.Tests = append(t.Tests, Test{one.asWritten(), one.fit})
		}
		list = append(list, t)
		if fit == Met {
			break
		}
	}
	return list
}

// asWritten is the condition as a rules file spells it.
func (t conditionFit) asWritten() string {
	var values []string
	for _, v := range t.want {
		if t.key != "subagent" && t.key != "owner" {
			v = strconv.Quote(v)
		}
		values = append(values, v)
	}
	switch len(values) {
	case 0:
		return t.key
	case 1:
		return t.key + " = " + values[0]
	}
	return fmt.Sprintf("%s = [%s]", t.key, strings.Join(values, ", "))
}

// Changes returns a short line for each difference between the rulesets, people first; nil
// if there is none.
func Changes(before, after *Ruleset) []string {
	var lines []string
	for _, p := range before.People() {
		now, ok := after.people[p.ID]
		lines = append(lines, changeLines(p.title(), ok, reflect.DeepEqual(now, p))...)
	}
	for _, p := range after.People() {
		if _, ok := before.people[p.ID]; !ok {
			lines = append(lines, p.title()+": added")
		}
	}
	lines = append(lines, ruleChanges(before.rules, after.rules)...)
	if !slices.Equal(before.targets, after.targets) {
		lines = append(lines, "chats of asks that no rule sends elsewhere: changed")
	}
	return lines
}

func (p Person) title() string { return fmt.Sprintf("person %d (%s)", p.ID, p.Name) }

func ruleChanges(before, after []conditionalRule) []string {
	var lines, kept, stay []string
	for _, e := range before {
		i := slices.IndexFunc(after, func(other conditionalRule) bool { return other.Name == e.Name })
		if i >= 0 {
			kept = append(kept, e.Name)
		}
		lines = append(lines, changeLines(fmt.Sprintf("rule %q", e.Name), i >= 0, i >= 0 && reflect.DeepEqual(after[i], e))...)
	}
	for _, e := range after {
		if slices.Contains(kept, e.Name) {
			stay = append(stay, e.Name)
		} else {
			lines = append(lines, fmt.Sprintf("rule %q: added", e.Name))
		}
	}
	if !slices.Equal(kept, stay) {
		lines = append(lines, "the order of the rules: changed")
	}
	return lines
}

func changeLines(what string, there, same bool) []string {
	switch {
	case !there:
		return []string{what + ": removed"}
	case !same:
		return []string{what + ": changed"}
	}
	return nil
}
