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
}

// Explain tells of every rule up to the one that fits why it does, or does not. Its
// last entry fits, unless none does.
func (b *Book) Explain(a Ask) []Trace {
	var list []Trace
	for _, e := range b.rules {
		fits, _ := e.fit(a)
		t := Trace{Rule: e.Name, Fits: fits}
		for _, one := range e.tests(a) {
			t.Tests = append(t.Tests, Test{one.text(), one.fits, one.known})
		}
		list = append(list, t)
		if fits {
			break
		}
	}
	return list
}

// text is the condition as it can stand in a file.
func (t test) text() string {
	var values []string
	for _, v := range t.want {
		if t.key != "subagent" {
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
