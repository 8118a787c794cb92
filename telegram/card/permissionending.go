package card

import (
	"cmp"
	"strings"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/telegram/markup"
)

// permissionEnding tells what became of a permission ask.
type permissionEnding struct{ ending }

// alwaysPatterns are the patterns that Always adds. They are never cut, and what the pattern * means stands before it.
func (e permissionEnding) alwaysPatterns() markup.Text {
	if e.Withheld {
		return markup.Plain("…")
	}
	list := eachOnOneLine(e.Request.Permission.Always)
	for i, pattern := range list {
		if pattern == "*" {
			list[i] = cmp.Or(e.w.Permission.Every[e.Request.Permission.Kind], e.w.Permission.Every[""]) + " (*)"
		}
	}
	return markup.Plain(strings.Join(list, e.w.Comma))
}

// chooseByLifetime returns the text for what holds until OpenCode restarts, or for what it keeps.
func (e permissionEnding) chooseByLifetime(memory, kept string) string {
	if e.Request.Protocol.KeepsAlways() {
		return kept
	}
	return memory
}

// sureText is the question whether it shall be allowed from now on, where and how long.
func (e permissionEnding) sureText() string {
	if e.Request.Protocol.WidensAlways() {
		return e.w.Permission.SureWide
	}
	return e.chooseByLifetime(e.w.Permission.Sure, e.w.Permission.SureKeep)
}

// lines tell it below what was asked for.
func (e permissionEnding) lines() []markup.Text {
	switch {
	case e.Phase == question.PhaseTaken:
		return e.ending.lines()
	case e.Outcome == nil && e.decidedByRule():
		return e.ruleDecisionLines(markup.Plain(e.decisionName()))
	case e.Phase == question.PhaseHeld:
		return []markup.Text{markup.Join(" · ", markup.Plain(e.decisionName()), e.whoAndWhen())}
	case e.Phase == question.PhaseSending:
		return []markup.Text{markup.Plain(e.decisionName() + " · " + e.w.Sending)}
	case e.Phase == question.PhaseWaiting:
		return []markup.Text{e.whileWaiting(markup.Plain(e.w.Permission.Kept + e.w.Colon + e.decisionName()))}
	}
	lines := []markup.Text{e.outcomeLine()}
	if lost := e.unusedDecision(); !lost.Empty() {
		lines = append(lines, lost)
	}
	return lines
}

// decisionName is what was decided, in a word or two.
func (e permissionEnding) decisionName() string {
	switch {
	case !e.Decision.Reject:
		return e.grantName(e.Decision.Answers)
	case e.Decision.Note != "":
		return e.w.Permission.Rejected + e.w.Colon + letters.Exposed(e.Decision.Note)
	}
	return e.w.Permission.Rejected
}

func (e permissionEnding) outcomeLine() markup.Text {
	switch e.Outcome.Kind {
	case question.OutcomeAnswered:
		return e.allowedBy(*e.Outcome)
	case question.OutcomeDismissed:
		return e.dismissedBy(*e.Outcome)
	case question.OutcomeStopped:
		if e.Sent || e.Outcome.Begun {
			return markup.Plain(e.w.Permission.StoppedLate)
		}
		return markup.Plain(e.w.Permission.Stopped)
	case question.OutcomeUnknown:
		return markup.Plain(e.w.Permission.Unknown)
	case question.OutcomeDeleted, question.OutcomeRestarted, question.OutcomeVoid:
	}
	return markup.Plain(e.endedWithoutAnswer(e.Outcome.Kind))
}

func (e permissionEnding) allowedBy(o question.Outcome) markup.Text {
	when, who := markup.Clock(e.decidedAt(), e.now), e.deciders()
	always := o.Answers.Equal(question.Answers{{question.Always}})
	switch {
	case o.By.Kind == question.OpenCode && always:
		return markup.Phrase(e.w.Permission.AlwaysThere, e.alwaysPatterns(), when)
	case o.By.Kind == question.OpenCode && o.Answers == nil:
		return markup.Phrase(e.w.Permission.AllowedThere, when)
	case o.By.Kind == question.OpenCode:
		return markup.Phrase(e.w.Permission.OnceThere, when)
	case o.Along != "":
		return markup.Phrase(e.w.Permission.AlwaysAlong, who, when)
	case always:
		return markup.Phrase(e.w.Permission.AlwaysBy, who, e.alwaysPatterns(), when)
	}
	return markup.Phrase(e.w.Permission.OnceBy, who, when)
}

func (e permissionEnding) rejectedBy(o question.Outcome) markup.Text {
	when, who := markup.Clock(e.decidedAt(), e.now), e.actorName(o.By)
	switch {
	case o.By.Kind == question.Deadline && e.Origin.Way == session.AskAPI:
		return markup.Phrase(e.w.Permission.NobodyAsk, markup.Plain(e.w.Duration(e.TTL)))
	case o.By.Kind == question.Deadline && len(e.Votes) > 0:
		return e.team().tooFewInTime(e.TTL, e.Request.Protocol.EndsTurns())
	case o.By.Kind == question.Deadline && e.Request.Protocol.EndsTurns():
		return markup.Phrase(e.w.Permission.NobodyEnds, markup.Plain(e.w.Duration(e.TTL)))
	case o.By.Kind == question.Deadline:
		return markup.Phrase(e.w.Permission.Nobody, markup.Plain(e.w.Duration(e.TTL)))
	case o.By.Kind == question.OpenCode && o.Note != "":
		return markup.Phrase(e.w.Permission.NotedThere, markup.Plain(letters.Exposed(o.Note)), when)
	case o.By.Kind == question.OpenCode:
		return markup.Phrase(e.w.Permission.RejectedThere, when)
	case o.Along != "":
		return markup.Phrase(e.w.Permission.RejectedAlong, who, when)
	case o.Note != "":
		return markup.Phrase(e.w.Permission.NotedBy, who, markup.Plain(letters.Exposed(o.Note)), when)
	}
	return markup.Phrase(e.w.Permission.RejectedBy, who, when)
}

// grantSign is the sign of a permission that was decided.
func (e permissionEnding) grantSign() string {
	o := *e.Outcome
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
		return "🔓"
	}
	return "✅"
}
