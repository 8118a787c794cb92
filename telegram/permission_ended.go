package telegram

import (
	"hermes/internal/letters"
	"hermes/internal/question"
)

// decidedLines tells what became of a permission.
func (p page) decidedLines() []rich {
	switch p.Phase {
	case question.PhaseSending:
		return []rich{plain(p.decisionName() + " · " + p.w.Sending)}
	case question.PhaseWaiting:
		return []rich{join(" ", p.waitingFor(), plain(p.w.Permission.Kept+p.w.Colon+p.decisionName()))}
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
		return p.w.Permission.Rejected + p.w.Colon + letters.Exposed(p.Decision.Note)
	}
	return p.w.Permission.Rejected
}

func (p page) grantedBy() rich {
	switch p.Outcome.Kind {
	case question.OutcomeAnswered:
		return p.allowedBy(*p.Outcome)
	case question.OutcomeDismissed:
		return p.rejectedBy(*p.Outcome)
	case question.OutcomeStopped:
		if p.Sent || p.Outcome.Begun {
			return plain(p.w.Permission.StoppedLate)
		}
		return plain(p.w.Permission.Stopped)
	case question.OutcomeUnknown:
		return plain(p.w.Permission.Unknown)
	case question.OutcomeDeleted, question.OutcomeRestarted, question.OutcomeVoid:
	}
	return plain(p.w.EndedWithoutAnswer(p.Outcome.Kind))
}

func (p page) allowedBy(o question.Outcome) rich {
	when, who := clock(p.decidedAt(), p.now), p.deciders()
	always := o.Answers.Equal(question.Answers{{question.Always}})
	switch {
	case o.By.Kind == question.OpenCode && always:
		return phrase(p.w.Permission.AlwaysThere, p.always(), when)
	case o.By.Kind == question.OpenCode && o.Answers == nil:
		return phrase(p.w.Permission.AllowedThere, when)
	case o.By.Kind == question.OpenCode:
		return phrase(p.w.Permission.OnceThere, when)
	case o.Along != "":
		return phrase(p.w.Permission.AlwaysAlong, who, when)
	case always:
		return phrase(p.w.Permission.AlwaysBy, who, p.always(), when)
	}
	return phrase(p.w.Permission.OnceBy, who, when)
}

func (p page) rejectedBy(o question.Outcome) rich {
	when, who := clock(p.decidedAt(), p.now), p.who(o.By)
	switch {
	case o.By.Kind == question.Deadline && p.Origin.Way == question.AskAPI:
		return phrase(p.w.Permission.NobodyAsk, plain(p.w.Duration(p.TTL)))
	case o.By.Kind == question.Deadline && len(p.Votes) > 0:
		return p.fewInTime()
	case o.By.Kind == question.Deadline:
		return phrase(p.w.Permission.Nobody, plain(p.w.Duration(p.TTL)))
	case o.By.Kind == question.OpenCode && o.Note != "":
		return phrase(p.w.Permission.NotedThere, plain(letters.Exposed(o.Note)), when)
	case o.By.Kind == question.OpenCode:
		return phrase(p.w.Permission.RejectedThere, when)
	case o.Along != "":
		return phrase(p.w.Permission.RejectedAlong, who, when)
	case o.Note != "":
		return phrase(p.w.Permission.NotedBy, who, plain(letters.Exposed(o.Note)), when)
	}
	return phrase(p.w.Permission.RejectedBy, who, when)
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
