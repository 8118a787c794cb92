package card

import (
	"slices"
	"time"

	"hermes/internal/question"
	"hermes/telegram/markup"
)

// ended tells the outcome, and whose answer was not used when it was not.
func (p page) ended() []markup.Text {
	lines := p.outcome()
	if lost := p.notUsed(); !lost.Empty() {
		lines = append(lines, lost)
	}
	return append(lines, p.late()...)
}

func (p page) outcome() []markup.Text {
	o := *p.Outcome
	switch o.Kind {
	case question.OutcomeAnswered:
		return p.answered(o)
	case question.OutcomeDismissed:
		return []markup.Text{p.dismissedBy(o)}
	}
	return []markup.Text{markup.Plain(p.w.EndedWithoutAnswer(o.Kind))}
}

func (p page) answered(o question.Outcome) []markup.Text {
	when := markup.Clock(p.decidedAt(), p.now)
	switch o.By.Kind {
	case question.Deadline:
		return p.took(o.Answers)
	case question.OpenCode:
		return []markup.Text{markup.Join(p.joint(), p.result(o.Answers), markup.Phrase(p.w.InOpenCode, when))}
	case question.Caller:
		return []markup.Text{p.result(o.Answers), called(o.By, p.w.ByCaller, p.w.ByAPI, when)}
	case question.RuleActor:
		return []markup.Text{p.result(o.Answers), markup.Phrase(p.w.Rule.When, p.byRule(o.By), when)}
	}
	return []markup.Text{p.result(o.Answers), markup.Phrase(p.w.ByPerson, person(o.By), when)}
}

func (p page) dismissedBy(o question.Outcome) markup.Text {
	if p.Request.Permission != nil {
		return p.rejectedBy(o)
	}
	when := markup.Clock(p.decidedAt(), p.now)
	switch o.By.Kind {
	case question.Deadline:
		return markup.Phrase(p.toldOrNot(), markup.Plain(p.w.Duration(p.TTL)))
	case question.OpenCode:
		return markup.Phrase(p.w.DismissedThere, when)
	case question.Caller:
		return called(o.By, p.w.DismissedAPI, p.w.DismissedByAPI, when)
	}
	return markup.Phrase(p.w.DismissedBy, p.who(o.By), when)
}

// toldOrNot speaks of an agent only where one asked.
func (p page) toldOrNot() string {
	if p.Origin.Way == question.AskAPI {
		return p.w.NobodyAsk
	}
	return p.w.NobodyReject
}

// called names who called the API, if they said who they are.
func called(by question.Actor, named, nameless string, when markup.Text) markup.Text {
	if by.Name == "" {
		return markup.Phrase(nameless, when)
	}
	return markup.Phrase(named, person(by), when)
}

// took tells what the deadline chose.
func (p page) took(answers question.Answers) []markup.Text {
	ttl := markup.Plain(p.w.Duration(p.TTL))
	if len(p.Request.Items) > 1 {
		return []markup.Text{p.list(answers), markup.Phrase(p.w.NobodyTookAll, ttl)}
	}
	if slices.ContainsFunc(p.Request.Items[0].Options, func(o question.Option) bool { return o.Default }) {
		return []markup.Text{markup.Phrase(p.w.NobodyTookIt, ttl, p.inline(answers))}
	}
	return []markup.Text{markup.Phrase(p.w.NobodyTook, ttl, p.inline(answers))}
}

// decidedAt is when the answer was given, if hermes took it, else when OpenCode
// was seen to have one.
func (p page) decidedAt() time.Time {
	if p.Decision != nil && p.Decision.By == p.Outcome.By {
		return p.Decision.At
	}
	return p.Outcome.At
}

// notUsed tells of a person's decision that something else came before. Where
// nothing proves that it was not used, it does not say so.
func (p page) notUsed() markup.Text {
	d, o := p.Decision, p.Outcome
	if p.sentLate() { // it is, by now
		return nil
	}
	if d == nil || d.By == o.By || d.By.Kind != question.Person && d.By.Kind != question.Caller {
		return nil
	}
	switch {
	case d.Reject && o.Kind == question.OutcomeDismissed && d.Note == o.Note, !d.Reject && o.Kind == question.OutcomeAnswered && d.Answers.Equal(o.Answers):
		return nil
	case d.Reject && p.Request.Permission != nil:
		return markup.Phrase(p.perhaps(p.w.Permission.NotUsedNo, p.w.Permission.UnsureNo), person(d.By))
	case d.Reject:
		return markup.Phrase(p.perhaps(p.w.NotUsedNo, p.w.UnsureNo), person(d.By))
	case o.Kind == question.OutcomeAnswered && o.Answers == nil && p.Sent: // it was let run, and this may be why
		return markup.Phrase(p.w.Unsure, person(d.By), p.inline(d.Answers))
	}
	return markup.Phrase(p.perhaps(p.w.NotUsed, p.w.Unsure), person(d.By), p.inline(d.Answers))
}

// perhaps is the second text if the decision was sent and nothing tells what
// became of it.
func (p page) perhaps(not, unsure string) string {
	proven := p.Outcome.Kind == question.OutcomeAnswered || p.Outcome.Kind == question.OutcomeDismissed
	if p.Sent && !proven {
		return unsure
	}
	return not
}
