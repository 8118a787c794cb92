package telegram

import "hermes/internal/question"

// ruleWords are the texts about what rules decide, in one language.
type ruleWords struct {
	undo string // button

	name string // the rule's name: in place of a person's
	by   string // the rule's name
	when string // by, time
}

func englishRule() ruleWords {
	return ruleWords{undo: "Undo", name: "rule “%s”", by: "by rule “%s”", when: "%s · %s"}
}

func chineseRule() ruleWords {
	return ruleWords{undo: "撤销", name: "规则“%s”", by: "由规则“%s”决定", when: "%s · %s"}
}

// who names an actor. A rule is never named as a person is.
func (p page) who(a question.Actor) rich {
	if a.Kind == question.RuleActor {
		return phrase(p.w.rule.name, ruleName(a))
	}
	return person(a)
}

// byRule says that a rule has decided, and which.
func (p page) byRule(a question.Actor) rich { return phrase(p.w.rule.by, ruleName(a)) }

func ruleName(a question.Actor) rich { return plain(apart(shorten(oneLine(a.Name), 64))) }

// ruled reports whether a rule has decided, or ended, what the card shows.
func (p page) ruled() bool {
	if p.Outcome != nil {
		return p.Outcome.By.Kind == question.RuleActor
	}
	return p.Decision != nil && p.Decision.By.Kind == question.RuleActor
}

// ruledLines tells what a rule has decided, before it is proven.
func (p page) ruledLines() []rich {
	what, state := p.result(p.Decision.Answers), plain(p.w.sending)
	switch {
	case p.Request.Permission != nil:
		what = plain(p.decisionName())
	case p.Decision.Reject:
		what = plain(p.w.dismissed)
	}
	if p.Phase == question.PhaseWaiting {
		state = p.waitingFor()
	}
	return []rich{what, p.byRule(p.Decision.By), state}
}

// undoRow is the button that takes back what a rule has decided. It is there only as
// long as that is certain to work.
func (p page) undoRow() []button {
	if p.Phase != question.PhaseWaiting || !p.Undoable {
		return nil
	}
	return []button{{label: "↩️ " + p.w.rule.undo, move: question.Move{Action: question.Undo, Rev: p.Step}}}
}
