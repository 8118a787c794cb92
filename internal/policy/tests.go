package policy

import (
	"slices"
	"strconv"

	"hermes/internal/question"
)

// test is one condition of a rule, held against an ask.
type test struct {
	key   string
	want  []string // what the file has; one of them is enough
	fits  bool     // as far as is known
	known bool     // whether all is known that it looks at
	vague bool     // it fits because something cannot be understood, in a rule that restricts
}

// tests holds every condition of the rule against the ask, in the order in which the
// documentation lists them.
func (e entry) tests(a Ask) []test {
	c := e.when
	list := c.kindTests(a.Request.Permission, e.allows())
	if len(c.Directory) > 0 {
		list = append(list, c.directoryTest(a, e.allows()))
	}
	list = append(list, c.placeTests(a, e.allows())...)
	if !c.Hours.none() {
		in := c.Hours.covers(a.At.In(c.Hours.Zone))
		list = append(list, test{key: "hours", want: []string{c.Hours.String()}, fits: in, known: true})
	}
	return append(list, c.contentTests(a.Request, e.answers())...)
}

// kindTests are about what kind of ask it is, and what a permission is asked for.
func (c conditions) kindTests(p *question.Permission, allows bool) []test {
	var list []test
	if c.Ask != anyAsk {
		list = append(list, test{key: "ask", want: []string{string(c.Ask)}, fits: (p == nil) == (c.Ask == questions), known: true})
	}
	if len(c.Permission) > 0 {
		kind := p != nil && anyFitsFor(allows, c.Permission, p.Kind)
		list = append(list, test{key: "permission", want: c.Permission, fits: kind, known: true})
	}
	switch {
	case len(c.Pattern) == 0:
		return list
	case p == nil:
		return append(list, test{key: "pattern", want: c.Pattern, known: true})
	case allows:
		return append(list, test{key: "pattern", want: c.Pattern, fits: allowed(c.Pattern, p), known: whole(p)})
	}
	return append(list, c.patternTest(p))
}

// placeTests are about who asks. An ask of another program than OpenCode has no
// session and no agent, and that is known.
func (c conditions) placeTests(a Ask, allows bool) []test {
	var list []test
	program := a.Request.Session == ""
	placed := program || a.Place.Root != ""
	if len(c.Agent) > 0 {
		known := program || a.Request.Agent != ""
		list = append(list, test{key: "agent", want: c.Agent, fits: anyFitsFor(allows, c.Agent, a.Request.Agent), known: known})
	}
	if len(c.Session) > 0 {
		list = append(list, test{key: "session", want: c.Session, fits: named(c.Session, a.Place), known: placed})
	}
	if c.Subagent != nil {
		want := []string{strconv.FormatBool(*c.Subagent)}
		list = append(list, test{key: "subagent", want: want, fits: *c.Subagent == subagent(a), known: placed})
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
		list = append(list, test{key: t.key, want: t.want, fits: met, known: true})
	}
	if len(tests) > 1 && !answers {
		list = append(list, test{key: "all in one question", fits: slices.ContainsFunc(r.Items, c.meets), known: true})
	}
	return list
}
