package ui

import (
	"slices"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// ending tells what became of a question that takes no more input: on its way, waiting for OpenCode, or ended.
type ending struct{ frame }

// lines tell it below the question.
func (e ending) lines() []markup.Text {
	switch {
	case e.Phase == question.PhaseTaken:
		return []markup.Text{markup.Plain(takenText(e.Owned, e.w))}
	case e.Outcome == nil && e.decidedByRule():
		what := e.answerLines(e.Decision.Answers)
		if e.Decision.Reject {
			what = markup.Plain(e.w.Dismissed)
		}
		return e.ruleDecisionLines(what)
	case e.Phase == question.PhaseHeld:
		return e.heldLines()
	case e.Phase == question.PhaseSending:
		return e.sendingLines()
	case e.Phase == question.PhaseWaiting:
		return e.waitingLines()
	}
	return e.endedLines()
}

// listedAnswers are those that the card lists now, nil for none.
func (e ending) listedAnswers() question.Answers {
	switch {
	case e.Outcome != nil && e.Outcome.Kind == question.OutcomeAnswered:
		return e.Outcome.Answers
	case e.Outcome == nil && e.Decision != nil && !e.Decision.Reject:
		return e.Decision.Answers
	}
	return nil
}

// sign begins the first line.
func (e ending) sign() string {
	switch {
	case e.Phase == question.PhaseTaken:
		return "↪️"
	case e.Phase == question.PhaseSending, e.Outcome == nil && e.Phase != question.PhaseWaiting:
		return "⏳"
	case e.Phase == question.PhaseWaiting:
		return "📡"
	case e.Outcome.Kind.Decided():
		return e.answerSign()
	}
	return "⚠️"
}

func (e ending) answerSign() string {
	switch {
	case e.Request.Permission != nil:
		return permissionEnding{ending: e}.grantSign()
	case e.Outcome.By.Kind == question.Deadline:
		return "⌛"
	case e.decidedByRule():
		return "🤖"
	case e.Outcome.Kind == question.OutcomeDismissed:
		return "🚫"
	}
	return "✅"
}

func (e ending) sendingLines() []markup.Text {
	if e.Decision.Reject {
		return []markup.Text{markup.Plain(e.w.Dismissed + " · " + e.w.Sending)}
	}
	return []markup.Text{markup.Join(e.answerSeparator(), e.answerLines(e.Decision.Answers), markup.Plain(e.w.Sending))}
}

// answerSeparator is between an answer and the words about it: one answer shares its line.
func (e ending) answerSeparator() string {
	if len(e.Request.Items) > 1 {
		return "\n"
	}
	return " · "
}

// whileWaiting says what holds while it waits for OpenCode.
func (e ending) whileWaiting(what markup.Text) markup.Text {
	where := e.waitingFor()
	return markup.Join(markup.Gap(where.String()), where, what)
}

func (e ending) waitingLines() []markup.Text {
	switch {
	case e.Decision.Reject:
		return []markup.Text{e.whileWaiting(markup.Plain(e.w.KeptNo))}
	case e.Decision.By.Kind == question.Deadline:
		return append(e.deadlineLines(e.Decision.Answers), e.waitingFor())
	case len(e.Request.Items) > 1:
		return []markup.Text{e.answerList(e.Decision.Answers), e.whileWaiting(markup.Plain(e.w.Kept + e.w.Stop))}
	}
	return []markup.Text{e.whileWaiting(append(markup.Plain(e.w.Kept+e.w.Colon), e.answersInline(e.Decision.Answers)...))}
}

// endedLines tells the outcome, and whose answer was not used when it was not.
func (e ending) endedLines() []markup.Text {
	lines := e.outcomeLines()
	if lost := e.unusedDecision(); !lost.Empty() {
		lines = append(lines, lost)
	}
	return append(lines, e.lateLine())
}

func (e ending) outcomeLines() []markup.Text {
	o := *e.Outcome
	switch o.Kind {
	case question.OutcomeAnswered:
		return e.answeredLines(o)
	case question.OutcomeDismissed:
		return []markup.Text{e.dismissedBy(o)}
	}
	return []markup.Text{markup.Plain(e.endedWithoutAnswer(o))}
}

func (e ending) answeredLines(o question.Outcome) []markup.Text {
	when := markup.Clock(e.decidedAt(), e.now)
	switch o.By.Kind {
	case question.Deadline:
		return e.deadlineLines(o.Answers)
	case question.OpenCode:
		return []markup.Text{markup.Join(e.answerSeparator(), e.answerLines(o.Answers), markup.Phrase(e.w.InOpenCode, when))}
	case question.Caller:
		return []markup.Text{e.answerLines(o.Answers), byCaller(o.By, e.w.ByCaller, e.w.ByAPI, when)}
	case question.RuleActor:
		return []markup.Text{e.answerLines(o.Answers), markup.Phrase(e.w.Rule.When, e.byRule(o.By), when)}
	}
	return []markup.Text{e.answerLines(o.Answers), markup.Phrase(e.w.ByPerson, personName(o.By), when)}
}

func (e ending) dismissedBy(o question.Outcome) markup.Text {
	when := markup.Clock(e.decidedAt(), e.now)
	switch {
	case o.By.Kind == question.Caller && e.Decision != nil && e.Decision.Withdrawn:
		return markup.Phrase(e.w.TakenBack, when)
	case e.Request.Permission != nil:
		return permissionEnding{ending: e}.rejectedBy(o)
	}
	switch o.By.Kind {
	case question.Deadline:
		return markup.Phrase(e.expiredFormat(), markup.Plain(e.w.Duration(e.TTL)))
	case question.OpenCode:
		return markup.Phrase(e.w.DismissedThere, when)
	case question.Caller:
		return byCaller(o.By, e.w.DismissedAPI, e.w.DismissedByAPI, when)
	}
	return markup.Phrase(e.w.DismissedBy, e.actorName(o.By), when)
}

// expiredFormat is the sentence for a question that nobody answered in time. It speaks of an
// agent only where one asked.
func (e ending) expiredFormat() string {
	if e.Origin.Way == session.AskAPI {
		return e.w.NobodyAsk
	}
	if e.Request.Protocol.EndsTurns() {
		return e.w.NobodyEnds
	}
	return e.w.NobodyReject
}

// byCaller names who called the API, if they said who they are.
func byCaller(by question.Actor, named, nameless string, when markup.Text) markup.Text {
	if by.Name == "" {
		return markup.Phrase(nameless, when)
	}
	return markup.Phrase(named, personName(by), when)
}

// deadlineLines tells what the deadline chose.
func (e ending) deadlineLines(answers question.Answers) []markup.Text {
	ttl, took := markup.Plain(e.w.Duration(e.TTL)), e.w.NobodyTook[e.OnExpiry]
	if len(e.Request.Items) > 1 {
		return []markup.Text{e.answerList(answers), markup.Phrase(took.Each, ttl)}
	}
	if slices.ContainsFunc(e.Request.Items[0].Options, func(o question.Option) bool { return o.Default }) {
		return []markup.Text{markup.Phrase(took.Default, ttl, e.answersInline(answers))}
	}
	return []markup.Text{markup.Phrase(took.One, ttl, e.answersInline(answers))}
}

// decidedAt is when the answer was given, if hermes took it, else when OpenCode
// was seen to have one.
func (f frame) decidedAt() time.Time {
	if f.Decision != nil && f.Decision.By == f.Outcome.By {
		return f.Decision.At
	}
	return f.Outcome.At
}

// unusedDecision tells of a person's decision that something else came before. Where
// nothing proves that it was not used, it does not say so.
func (e ending) unusedDecision() markup.Text {
	d, o := e.Decision, e.Outcome
	if d == nil || d.By == o.By || d.By.Kind != question.Person && d.By.Kind != question.Caller {
		return nil
	}
	switch {
	case d.Reject && o.Kind == question.OutcomeDismissed && d.Note == o.Note, !d.Reject && o.Kind == question.OutcomeAnswered && d.Answers.Equal(o.Answers):
		return nil
	case d.Reject && e.Request.Permission != nil:
		return markup.Phrase(e.unusedOrUnsure(e.w.Permission.NotUsedNo, e.w.Permission.UnsureNo), personName(d.By))
	case d.Reject:
		return markup.Phrase(e.unusedOrUnsure(e.w.NotUsedNo, e.w.UnsureNo), personName(d.By))
	case o.Kind == question.OutcomeAnswered && o.Answers == nil && e.Sent: // it was let run, and this may be why
		return markup.Phrase(e.w.Unsure, personName(d.By), e.answersInline(d.Answers))
	}
	return markup.Phrase(e.unusedOrUnsure(e.w.NotUsed, e.w.Unsure), personName(d.By), e.answersInline(d.Answers))
}

// unusedOrUnsure is the second text if the decision was sent and nothing tells what
// became of it.
func (e ending) unusedOrUnsure(not, unsure string) string {
	if e.Sent && !e.Outcome.Kind.Decided() {
		return unsure
	}
	return not
}

// decidedByRule reports whether a rule has decided, or ended, what the card shows.
func (f frame) decidedByRule() bool {
	if f.Outcome != nil {
		return f.Outcome.By.Kind == question.RuleActor
	}
	return f.Decision != nil && f.Decision.By.Kind == question.RuleActor
}

// ruleDecisionLines tells what a rule has decided, before it is proven.
func (e ending) ruleDecisionLines(what markup.Text) []markup.Text {
	state := e.whenSent()
	if e.Phase == question.PhaseWaiting {
		state = e.waitingFor()
	}
	return []markup.Text{what, e.byRule(e.Decision.By), state}
}

// deciders names who decided: all who approved, where it took several.
func (e ending) deciders() markup.Text {
	var names []markup.Text
	for _, by := range e.Deciders() {
		names = append(names, e.actorName(by))
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return markup.Join(e.w.Team.And, markup.Join(e.w.Comma, names[:last]...), names[last])
}

// heldLines tells a decision that can still be taken back, and who made it.
func (e ending) heldLines() []markup.Text {
	what := e.answerLines(e.Decision.Answers)
	if e.Decision.Reject {
		what = markup.Plain(e.w.Dismissed)
	}
	return []markup.Text{markup.Join(e.answerSeparator(), what, e.whoAndWhen())}
}

// whoAndWhen is who made the decision that is held, when it is sent, and that nobody is there to get it.
func (e ending) whoAndWhen() markup.Text {
	line := markup.Join(" · ", e.actorName(e.Decision.By), e.whenSent())
	if e.Away {
		return markup.Join("\n", line, e.waitingFor())
	}
	return line
}

// whenSent is how long a decision is still held: clients do not count it down, so it is what is left as the card is
// drawn.
func (e ending) whenSent() markup.Text {
	left := e.HeldTo.Sub(e.now)
	if e.Phase != question.PhaseHeld || left < time.Second/2 {
		return markup.Plain(e.w.Sending)
	}
	return markup.Phrase(e.w.Hold.SentIn, markup.Plain(e.w.Duration(left)))
}

// lateRow is the button below a question that ended without the answer that a person gave: it sends that as a prompt.
func (f frame) lateRow() []Button {
	if f.Phase != question.PhaseEnded || !f.LateTo || !f.Lost {
		return nil
	}
	return []Button{{Label: "📨 " + f.w.Late.Send, Order: inbound.Button{Kind: inbound.ButtonLate, Thread: f.Thread}}}
}

// lateLine says how a question that has ended can still be answered.
func (e ending) lateLine() markup.Text {
	if !e.LateTo || e.Lost {
		return nil
	}
	return markup.Plain(e.w.Late.Reply)
}

// LateOffer tells how an ask ended that an answer came too late for, and offers to send it as a prompt, which it shows: a long one by
// its beginning.
func LateOffer(t question.Thread, to session.ID, prompt string) Text {
	return func(r Reader) Body {
		s := newSummary(t.View(), r.Words, r.Now)
		text := markup.Join("\n", markup.Plain(s.sign()+" "+s.latestLine()), markup.Plain(r.Words.Late.Unsent))
		if prompt != "" {
			text = markup.Join("\n\n", text, markup.Plain(markup.Shorten(prompt, 1000)))
		}
		send := Button{Label: "📨 " + r.Words.Late.Send, Order: inbound.Button{Kind: inbound.ButtonSend, Session: to}}
		return Body{Parts: []markup.Text{text}, Rows: [][]Button{{send}}}
	}
}

// NameOf is what an ask is called in one line.
func NameOf(t question.Thread, w words.Table) string {
	r := requestText{t.Request, w}
	if t.Request.Permission != nil {
		return markup.Isolate(markup.Shorten(r.name(), 200))
	}
	return markup.Isolate(markup.Shorten(r.itemName(t.Wizard.Step), 200))
}
