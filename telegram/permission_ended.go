package telegram

import (
	"hermes/internal/letters"
	"hermes/internal/question"
)

// decidedLines tells what became of a permission.
func (p page) decidedLines() []rich {
	switch p.Phase {
	case question.PhaseSending:
		return []rich{plain(p.decisionName() + " · " + p.w.sending)}
	case question.PhaseWaiting:
		return []rich{join(" ", p.waitingFor(), plain(p.w.may.kept+p.w.colon+p.decisionName()))}
	}
	lines := []rich{p.grantedBy()}
	if lost := p.notUsed(); !lost.empty() {
		lines = append(lines, lost)
	}
	return lines
}

// decisionName is what was decided, in a word or two.
func (p page) decisionName() string {
	switch {
	case !p.Decision.Reject:
		return p.grantName(p.Decision.Answers)
	case p.Decision.Note != "":
		return p.w.may.rejected + p.w.colon + letters.Exposed(p.Decision.Note)
	}
	return p.w.may.rejected
}

func (p page) grantedBy() rich {
	switch p.Outcome.Kind {
	case question.OutcomeAnswered:
		return p.allowedBy(*p.Outcome)
	case question.OutcomeDismissed:
		return p.rejectedBy(*p.Outcome)
	case question.OutcomeStopped:
		if p.Sent || p.Outcome.Begun {
			return plain(p.w.may.stoppedLate)
		}
		return plain(p.w.may.stopped)
	case question.OutcomeUnknown:
		return plain(p.w.may.unknown)
	case question.OutcomeDeleted, question.OutcomeRestarted, question.OutcomeVoid:
	}
	return plain(p.w.gone(p.Outcome.Kind))
}

func (p page) allowedBy(o question.Outcome) rich {
	when, who := clock(p.decidedAt(), p.now), p.deciders()
	always := o.Answers.Equal(question.Answers{{question.Always}})
	switch {
	case o.By.Kind == question.OpenCode && always:
		return phrase(p.w.may.alwaysThere, p.always(), when)
	case o.By.Kind == question.OpenCode && o.Answers == nil:
		return phrase(p.w.may.allowedThere, when)
	case o.By.Kind == question.OpenCode:
		return phrase(p.w.may.onceThere, when)
	case o.Along != "":
		return phrase(p.w.may.alwaysAlong, who, when)
	case always:
		return phrase(p.w.may.alwaysBy, who, p.always(), when)
	}
	return phrase(p.w.may.onceBy, who, when)
}

func (p page) rejectedBy(o question.Outcome) rich {
	when, who := clock(p.decidedAt(), p.now), p.who(o.By)
	switch {
	case o.By.Kind == question.Deadline && p.Origin.Way == question.AskAPI:
		return phrase(p.w.may.nobodyAsk, plain(p.w.span(p.TTL)))
	case o.By.Kind == question.Deadline && len(p.Votes) > 0:
		return p.fewInTime()
	case o.By.Kind == question.Deadline:
		return phrase(p.w.may.nobody, plain(p.w.span(p.TTL)))
	case o.By.Kind == question.OpenCode && o.Note != "":
		return phrase(p.w.may.notedThere, plain(letters.Exposed(o.Note)), when)
	case o.By.Kind == question.OpenCode:
		return phrase(p.w.may.rejectedThere, when)
	case o.Along != "":
		return phrase(p.w.may.rejectedAlong, who, when)
	case o.Note != "":
		return phrase(p.w.may.notedBy, who, plain(letters.Exposed(o.Note)), when)
	}
	return phrase(p.w.may.rejectedBy, who, when)
}

// signOfGrant is the sign of a permission that was decided.
func (p page) signOfGrant() string {
	o := *p.Outcome
	switch {
	case o.By.Kind == question.Deadline:
		return "⌛"
	case o.By.Kind == question.RuleActor:
		return "🤖"
	case o.Kind == question.OutcomeDismissed && o.Note != "":
		return "💬"
	case o.Kind == question.OutcomeDismissed:
		return "🚫"
	case o.Answers.Equal(question.Answers{{question.Always}}):
		return "♾"
	}
	return "✅"
}
