package policy

import (
	"slices"
	"strconv"

	"hermes/question"
)

// test is one condition of a rule, held against an ask.
type test struct {
	key   string
	want  []string // what the file has; one of them is enough
	fits  bool     // as far as is known
	known bool     // whether all is known that it looks at
}

// tests holds every condition of the rule against the ask, in the order in which the
// documentation lists them.
func (e entry) tests(a Ask) []test {
	c := e.when
	list := c.kindTests(a.Request.Permission, e.Decide == AllowOnce)
	if len(c.Directory) > 0 {
		list = append(list, test{"directory", c.Directory, inside(c.Directory, a.Directory), true})
	}
	list = append(list, c.placeTests(a)...)
	if !c.Hours.none() {
		in := c.Hours.covers(a.At.In(c.Hours.Zone))
		list = append(list, test{"hours", []string{c.Hours.String()}, in, true})
	}
	return append(list, c.contentTests(a.Request, e.answers())...)
}

// kindTests are about what kind of ask it is, and what a permission is asked for.
func (c conditions) kindTests(p *question.Permission, allows bool) []test {
	var list []test
	if c.Ask != anyAsk {
		list = append(list, test{"ask", []string{string(c.Ask)}, (p == nil) == (c.Ask == questions), true})
	}
	if len(c.Permission) > 0 {
		list = append(list, test{"permission", c.Permission, p != nil && anyFits(c.Permission, p.Kind), true})
	}
	switch {
	case len(c.Pattern) == 0:
		return list
	case p == nil:
		return append(list, test{"pattern", c.Pattern, false, true})
	case allows:
		return append(list, test{"pattern", c.Pattern, allowed(c.Pattern, p), whole(p)})
	}
	fits, known := reaches(c.Pattern, p)
	return append(list, test{"pattern", c.Pattern, fits, known})
}

// placeTests are about who asks. An ask of another program than OpenCode has no
// session and no agent, and that is known.
func (c conditions) placeTests(a Ask) []test {
	var list []test
	program := a.Request.Session == ""
	placed := program || a.Place.Root != ""
	if len(c.Agent) > 0 {
		list = append(list, test{"agent", c.Agent, anyFits(c.Agent, a.Request.Agent), program || a.Request.Agent != ""})
	}
	if len(c.Session) > 0 {
		list = append(list, test{"session", c.Session, named(c.Session, a.Place), placed})
	}
	if c.Subagent != nil {
		list = append(list, test{"subagent", []string{strconv.FormatBool(*c.Subagent)}, *c.Subagent == subagent(a), placed})
	}
	return list
}

// contentTests are about the questions themselves. A rule that answers must fit every
// one of them, so that none hides behind another; for any other rule one is enough.
func (c conditions) contentTests(r question.Request, answers bool) []test {
	var list []test
	tests := c.itemTests()
	for _, t := range tests {
		met := slices.ContainsFunc(r.Items, t.met)
		if answers {
			met = met && !slices.ContainsFunc(r.Items, func(i question.Item) bool { return !t.met(i) })
		}
		list = append(list, test{t.key, t.want, met, true})
	}
	if len(tests) > 1 && !answers {
		list = append(list, test{"all in one question", nil, slices.ContainsFunc(r.Items, c.meets), true})
	}
	return list
}
