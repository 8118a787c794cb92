package card

import (
	"hermes/internal/question"
	"hermes/telegram/markup"
)

// who names an actor. A rule is never named as a person is.
func (p page) who(a question.Actor) markup.Text {
	if a.Kind == question.RuleActor {
		return markup.Phrase(p.w.Rule.Name, ruleName(a))
	}
	return person(a)
}

// byRule says that a rule has decided, and which.
func (p page) byRule(a question.Actor) markup.Text { return markup.Phrase(p.w.Rule.By, ruleName(a)) }

func ruleName(a question.Actor) markup.Text {
	return markup.Plain(markup.Isolate(markup.Shorten(markup.OneLine(a.Name), 64)))
}

// ruled reports whether a rule has decided, or ended, what the card shows.
func (p page) ruled() bool {
	if p.Outcome != nil {
		return p.Outcome.By.Kind == question.RuleActor
	}
	return p.Decision != nil && p.Decision.By.Kind == question.RuleActor
}

// ruledLines tells what a rule has decided, before it is proven.
func (p page) ruledLines() []markup.Text {
	what, state := p.result(p.Decision.Answers), markup.Plain(p.w.Sending)
	switch {
	case p.Request.Permission != nil:
		what = markup.Plain(p.decisionName())
	case p.Decision.Reject:
		what = markup.Plain(p.w.Dismissed)
	}
	if p.Phase == question.PhaseWaiting {
		state = p.waitingFor()
	}
	return []markup.Text{what, p.byRule(p.Decision.By), state}
}

// undoRow is the button that takes back what a rule has decided. It is there only as
// long as that is certain to work.
func (p page) undoRow() []Button {
	if p.Phase != question.PhaseWaiting || !p.Undoable {
		return nil
	}
	return []Button{{Label: "↩️ " + p.w.Rule.Undo, Move: question.Move{Action: question.Undo, Rev: p.Step}}}
}
