package policy

import (
	"slices"
	"strconv"

	"hermes/internal/question"
)

// conditionFit is how one condition of a rule fits an ask.
type conditionFit struct {
	key  string
	want []string // what the file has; one of them is enough
	fit  Fit
}

// fitConditions compares every condition of the rule with the ask, in the order of the
// documentation.
func (e conditionalRule) fitConditions(a Ask) []conditionFit {
	c := e.when
	list := c.fitKind(a.Request.Permission)
	if len(c.Directory) > 0 {
		list = append(list, conditionFit{"directory", c.Directory, c.fitDirectory(a)})
	}
	list = append(list, c.fitPlace(a)...)
	list = append(list, c.fitLink(a)...)
	if !c.Hours.isZero() {
		list = append(list, conditionFit{"hours", []string{c.Hours.String()}, fitOf(c.Hours.covers(a.At.In(c.Hours.Zone)))})
	}
	return append(list, c.fitContent(a.Request, e.answersQuestions())...)
}

// fitKind compares the conditions on the kind of ask, and on the permission.
func (c conditions) fitKind(p *question.Permission) []conditionFit {
	var list []conditionFit
	if c.Ask != anyAsk {
		list = append(list, conditionFit{"ask", []string{string(c.Ask)}, fitOf((p == nil) == (c.Ask == questions))})
	}
	if len(c.Permission) > 0 {
		list = append(list, conditionFit{"permission", c.Permission, fitOf(p != nil && anyFits(c.Permission, p.Kind))})
	}
	switch {
	case len(c.Pattern) == 0:
		return list
	case p == nil:
		return append(list, conditionFit{"pattern", c.Pattern, NotMet})
	}
	return append(list, conditionFit{"pattern", c.Pattern, c.fitPattern(p)})
}

// fitPlace compares the conditions on who asks. An ask of another program than OpenCode is
// known to have no session and no agent.
func (c conditions) fitPlace(a Ask) []conditionFit {
	var list []conditionFit
	add := func(key string, want []string, known, met bool) {
		fit := fitOf(met)
		if !known {
			fit = NotKnown
		}
		list = append(list, conditionFit{key, want, fit})
	}
	program := a.Request.Session == ""
	placed := program || a.Place.Root != ""
	if len(c.Agent) > 0 {
		add("agent", c.Agent, program || a.Request.Agent != "", anyFits(c.Agent, a.Request.Agent))
	}
	if len(c.Session) > 0 {
		add("session", c.Session, placed, sessionFits(c.Session, a.Place))
	}
	if c.Subagent != nil {
		add("subagent", []string{strconv.FormatBool(*c.Subagent)}, placed, *c.Subagent == fromSubagent(a))
	}
	return list
}

// fitLink compares the conditions on the link and its owner, which hermes knows of each ask. A name that the machine gave itself is
// no fact, but for a rule that names the owner as well: then no other machine can get in by it.
func (c conditions) fitLink(a Ask) []conditionFit {
	var list []conditionFit
	if len(c.Link) > 0 {
		fit := fitOf(a.Link != "" && anyFits(c.Link, a.Link))
		if a.LinkByMachine && len(c.Owner) == 0 {
			fit = Unclear
		}
		list = append(list, conditionFit{"link", c.Link, fit})
	}
	if len(c.Owner) > 0 {
		var want []string
		for _, id := range c.Owner {
			want = append(want, strconv.FormatInt(int64(id), 10))
		}
		list = append(list, conditionFit{"owner", want, fitOf(slices.Contains(c.Owner, a.Owner))})
	}
	return list
}

// fitContent compares the conditions on the questions. A rule that answers must fit every
// question, so that none hides behind another; for any other rule one is enough.
func (c conditions) fitContent(r question.Request, answers bool) []conditionFit {
	var list []conditionFit
	tests := c.itemConditions()
	for _, t := range tests {
		met := slices.ContainsFunc(r.Items, t.met)
		if answers {
			met = met && !slices.ContainsFunc(r.Items, func(i question.Item) bool { return !t.met(i) })
		}
		list = append(list, conditionFit{t.key, t.want, fitOf(met)})
	}
	if len(tests) > 1 && !answers {
		list = append(list, conditionFit{"all in one question", nil, fitOf(slices.ContainsFunc(r.Items, c.itemMeets))})
	}
	return list
}
