package card

import (
	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/markup"
)

// decidedLines tells what became of a permission.
func (p page) decidedLines() []markup.Text {
	switch p.Phase {
	case question.PhaseSending:
		return []markup.Text{markup.Plain(p.decisionName() + " · " + p.w.Sending)}
	case question.PhaseWaiting:
		return []markup.Text{markup.Join(" ", p.waitingFor(), markup.Plain(p.w.Permission.Kept+p.w.Colon+p.decisionName()))}
	}
	lines := []markup.Text{p.grantedBy()}
	if lost := p.notUsed(); !lost.Empty() {
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

func (p page) grantedBy() markup.Text {
	switch p.Outcome.Kind {
	case question.OutcomeAnswered:
		return p.allowedBy(*p.Outcome)
	case question.OutcomeDismissed:
		return p.rejectedBy(*p.Outcome)
	case question.OutcomeStopped:
		if p.Sent || p.Outcome.Begun {
			return markup.Plain(p.w.Permission.StoppedLate)
		}
		return markup.Plain(p.w.Permission.Stopped)
	case question.OutcomeUnknown:
		return markup.Plain(p.w.Permission.Unknown)
	case question.OutcomeDeleted, question.OutcomeRestarted, question.OutcomeVoid:
	}
	return markup.Plain(p.w.EndedWithoutAnswer(p.Outcome.Kind))
}

func (p page) allowedBy(o question.Outcome) markup.Text {
	when, who := markup.Clock(p.decidedAt(), p.now), p.deciders()
	always := o.Answers.Equal(question.Answers{{question.Always}})
	switch {
	case o.By.Kind == question.OpenCode && always:
		return markup.Phrase(p.w.Permission.AlwaysThere, p.always(), when)
	case o.By.Kind == question.OpenCode && o.Answers == nil:
		return markup.Phrase(p.w.Permission.AllowedThere, when)
	case o.By.Kind == question.OpenCode:
		return markup.Phrase(p.w.Permission.OnceThere, when)
	case o.Along != "":
		return markup.Phrase(p.w.Permission.AlwaysAlong, who, when)
	case always:
		return markup.Phrase(p.w.Permission.AlwaysBy, who, p.always(), when)
	}
	return markup.Phrase(p.w.Permission.OnceBy, who, when)
}

func (p page) rejectedBy(o question.Outcome) markup.Text {
	when, who := markup.Clock(p.decidedAt(), p.now), p.who(o.By)
	switch {
	case o.By.Kind == question.Deadline && p.Origin.Way == question.AskAPI:
		return markup.Phrase(p.w.Permission.NobodyAsk, markup.Plain(p.w.Duration(p.TTL)))
	case o.By.Kind == question.Deadline && len(p.Votes) > 0:
		return p.fewInTime()
	case o.By.Kind == question.Deadline:
		return markup.Phrase(p.w.Permission.Nobody, markup.Plain(p.w.Duration(p.TTL)))
	case o.By.Kind == question.OpenCode && o.Note != "":
		return markup.Phrase(p.w.Permission.NotedThere, markup.Plain(letters.Exposed(o.Note)), when)
	case o.By.Kind == question.OpenCode:
		return markup.Phrase(p.w.Permission.RejectedThere, when)
	case o.Along != "":
		return markup.Phrase(p.w.Permission.RejectedAlong, who, when)
	case o.Note != "":
		return markup.Phrase(p.w.Permission.NotedBy, who, markup.Plain(letters.Exposed(o.Note)), when)
	}
	return markup.Phrase(p.w.Permission.RejectedBy, who, when)
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
