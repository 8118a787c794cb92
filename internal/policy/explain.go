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
