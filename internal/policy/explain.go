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

// Explain tells of every rule up to the one that fits for certain why it does, or does
// not. Those before it that fit too have their part in what [Book.Rule] gives.
func (b *Book) Explain(a Ask) []Trace {
	var list []Trace
	for _, e := range b.rules {
		f := e.fit(a)
		t := Trace{Rule: e.Name, Fits: f.fits}
		for _, one := range e.tests(a) {
			t.Tests = append(t.Tests, Test{one.text(), one.fits, one.known, one.vague})
		}
		list = append(list, t)
		if f.certain() {
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
