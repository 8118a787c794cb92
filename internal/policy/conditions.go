package policy

import (
	"slices"
	"strconv"

	"hermes/internal/question"
)

// conditionResult is how one condition of a rule fits an ask.
type conditionResult struct {
	key   string
	want  []string // what the file has; one of them is enough
	fits  bool     // as far as is known
	known bool     // whether all is known that it looks at
	vague bool     // it fits because something cannot be understood, in a rule that restricts
}

// evalConditions evaluates every condition of the rule for the ask, in the order of the
// documentation.
func (e conditionalRule) evalConditions(a Ask) []conditionResult {
	c := e.when
	list := c.evalKind(a.Request.Permission, e.isPermissive())
	if len(c.Directory) > 0 {
		list = append(list, c.evalDirectory(a, e.isPermissive()))
	}
	list = append(list, c.evalPlace(a, e.isPermissive())...)
	list = append(list, c.evalLink(a, e.isPermissive())...)
	if !c.Hours.isZero() {
		in := c.Hours.covers(a.At.In(c.Hours.Zone))
		list = append(list, conditionResult{key: "hours", want: []string{c.Hours.String()}, fits: in, known: true})
	}
	return append(list, c.evalContent(a.Request, e.answersQuestions())...)
}

// evalKind evaluates the conditions on the kind of ask, and on the permission.
func (c conditions) evalKind(p *question.Permission, allows bool) []conditionResult {
	var list []conditionResult
	if c.Ask != anyAsk {
		list = append(list, conditionResult{key: "ask", want: []string{string(c.Ask)}, fits: (p == nil) == (c.Ask == questions), known: true})
	}
	if len(c.Permission) > 0 {
		kind := p != nil && anyFitsFor(allows, c.Permission, p.Kind)
		list = append(list, conditionResult{key: "permission", want: c.Permission, fits: kind, known: true})
	}
	switch {
	case len(c.Pattern) == 0:
		return list
	case p == nil:
		return append(list, conditionResult{key: "pattern", want: c.Pattern, known: true})
	case allows:
		return append(list, conditionResult{key: "pattern", want: c.Pattern, fits: coversPermission(c.Pattern, p), known: fullyKnown(p)})
	}
	return append(list, c.evalPattern(p))
}

// evalPlace evaluates the conditions on who asks. An ask of another program than OpenCode is
// known to have no session and no agent.
func (c conditions) evalPlace(a Ask, allows bool) []conditionResult {
	var list []conditionResult
	program := a.Request.Session == ""
	placed := program || a.Place.Root != ""
	if len(c.Agent) > 0 {
		known := program || a.Request.Agent != ""
		list = append(list, conditionResult{key: "agent", want: c.Agent, fits: anyFitsFor(allows, c.Agent, a.Request.Agent), known: known})
	}
	if len(c.Session) > 0 {
		list = append(list, conditionResult{key: "session", want: c.Session, fits: sessionFits(c.Session, a.Place), known: placed})
	}
	if c.Subagent != nil {
		want := []string{strconv.FormatBool(*c.Subagent)}
		list = append(list, conditionResult{key: "subagent", want: want, fits: *c.Subagent == fromSubagent(a), known: placed})
	}
	return list
}

// evalLink evaluates the conditions on the link and its owner, which hermes knows of each ask.
func (c conditions) evalLink(a Ask, allows bool) []conditionResult {
	var list []conditionResult
	if len(c.Link) > 0 {
		list = append(list, conditionResult{key: "link", want: c.Link, fits: a.Link != "" && anyFitsFor(allows, c.Link, a.Link), known: true})
	}
	if len(c.Owner) > 0 {
		var want []string
		for _, id := range c.Owner {
			want = append(want, strconv.FormatInt(int64(id), 10))
		}
		list = append(list, conditionResult{key: "owner", want: want, fits: slices.Contains(c.Owner, a.Owner), known: true})
	}
	return list
}

// evalContent evaluates the conditions on the questions. A rule that answers must fit every
// question, so that none hides behind another; for any other rule one is enough.
func (c conditions) evalContent(r question.Request, answers bool) []conditionResult {
	var list []conditionResult
	tests := c.itemConditions()
	for _, t := range tests {
		met := slices.ContainsFunc(r.Items, t.met)
		if answers {
			met = met && !slices.ContainsFunc(r.Items, func(i question.Item) bool { return !t.met(i) })
		}
		list = append(list, conditionResult{key: t.key, want: t.want, fits: met, known: true})
	}
	if len(tests) > 1 && !answers {
		list = append(list, conditionResult{key: "all in one question", fits: slices.ContainsFunc(r.Items, c.itemMeets), known: true})
	}
	return list
}
