package policy

import (
	"fmt"
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
	Fits      bool
	Known     bool // false: what it looks at is not known of the ask
	Vague     bool // it counts as met, for what it looks at cannot be understood
}

// Explain says of every rule, up to the first that certainly fits, why it fits or does not.
// Rules before it that fit as well have their part in what [Ruleset.Rule] returns.
func (s *Ruleset) Explain(a Ask) []Trace {
	var list []Trace
	for _, e := range s.rules {
		f := e.matchAsk(a)
		t := Trace{Rule: e.Name, Fits: f.fits}
		for _, one := range e.evalConditions(a) {
			t.Tests = append(t.Tests, Test{one.asWritten(), one.fits, one.known, one.vague})
		}
		list = append(list, t)
		if f.isCertain() {
			break
		}
	}
	return list
}

// asWritten is the condition as a rules file spells it.
func (t conditionResult) asWritten() string {
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
