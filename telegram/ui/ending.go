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

// lines tell below a question what became of it, as it takes no more input: it is on its way, waits for OpenCode, or has ended.
func (f frame) lines() []markup.Text {
	switch {
	case f.Phase == question.PhaseTaken:
		return []markup.Text{markup.Plain(takenText(f.Owned, f.w))}
	case f.Outcome == nil && f.decidedByRule():
		what := f.answerLines(f.Decision.Answers)
		if f.Decision.Reject {
			what = markup.Plain(f.w.Dismissed)
		}
		return f.ruleDecisionLines(what)
	case f.Phase == question.PhaseHeld:
		return f.heldLines()
	case f.Phase == question.PhaseSending:
		return f.sendingLines()
	case f.Phase == question.PhaseWaiting:
		return f.waitingLines()
	}
	return f.endedLines()
}

// listedAnswers are those that the card lists now, nil for none.
func (f frame) listedAnswers() question.Answers {
	switch {
	case f.Outcome != nil && f.Outcome.Kind == question.OutcomeAnswered:
		return f.Outcome.Answers
	case f.Outcome == nil && f.Decision != nil && !f.Decision.Reject:
		return f.Decision.Answers
	}
	return nil
}

// sign begins the first line.
func (f frame) sign() string {
	switch {
	case f.Phase == question.PhaseTaken:
		return "↪️"
	case f.Phase == question.PhaseSending, f.Outcome == nil && f.Phase != question.PhaseWaiting:
		return "⏳"
	case f.Phase == question.PhaseWaiting:
		return "📡"
	case f.Outcome.Kind.Decided():
		return f.answerSign()
	}
	return "⚠️"
}

func (f frame) answerSign() string {
	switch {
	case f.Request.Permission != nil:
		return permissionEnding{frame: f}.grantSign()
	case f.Outcome.By.Kind == question.Deadline:
		return "⌛"
	case f.decidedByRule():
		return "🤖"
	case f.Outcome.Kind == question.OutcomeDismissed:
		return "🚫"
	}
	return "✅"
}

func (f frame) sendingLines() []markup.Text {
	if f.Decision.Reject {
		return []markup.Text{markup.Plain(f.w.Dismissed + " · " + f.w.Sending)}
	}
	return []markup.Text{markup.Join(f.answerSeparator(), f.answerLines(f.Decision.Answers), markup.Plain(f.w.Sending))}
}

// answerSeparator is between an answer and the words about it: one answer shares its line.
func (f frame) answerSeparator() string {
	if len(f.Request.Items) > 1 {
		return "\n"
	}
	return " · "
}

// whileWaiting says what holds while it waits for OpenCode.
func (f frame) whileWaiting(what markup.Text) markup.Text {
	where := f.waitingFor()
	return markup.Join(markup.Gap(where.String()), where, what)
}

func (f frame) waitingLines() []markup.Text {
	switch {
	case f.Decision.Reject:
		return []markup.Text{f.whileWaiting(markup.Plain(f.w.KeptNo))}
	case f.Decision.By.Kind == question.Deadline:
		return append(f.deadlineLines(f.Decision.Answers), f.waitingFor())
	case len(f.Request.Items) > 1:
		return []markup.Text{f.answerList(f.Decision.Answers), f.whileWaiting(markup.Plain(f.w.Kept + f.w.Stop))}
	}
	return []markup.Text{f.whileWaiting(append(markup.Plain(f.w.Kept+f.w.Colon), f.answersInline(f.Decision.Answers)...))}
}

// endedLines tells the outcome, and whose answer was not used when it was not.
func (f frame) endedLines() []markup.Text {
	lines := f.outcomeLines()
	if lost := f.unusedDecision(); !lost.Empty() {
		lines = append(lines, lost)
	}
	return append(lines, f.lateLine())
}

func (f frame) outcomeLines() []markup.Text {
	o := *f.Outcome
	switch o.Kind {
	case question.OutcomeAnswered:
		return f.answeredLines(o)
	case question.OutcomeDismissed:
		return []markup.Text{f.dismissedBy(o)}
	}
	return []markup.Text{markup.Plain(f.endedWithoutAnswer(o))}
}

func (f frame) answeredLines(o question.Outcome) []markup.Text {
	when := markup.Clock(f.decidedAt(), f.now)
	switch o.By.Kind {
	case question.Deadline:
		return f.deadlineLines(o.Answers)
	case question.OpenCode:
		return []markup.Text{markup.Join(f.answerSeparator(), f.answerLines(o.Answers), markup.Phrase(f.w.InOpenCode, when))}
	case question.Caller:
		return []markup.Text{f.answerLines(o.Answers), byCaller(o.By, f.w.ByCaller, f.w.ByAPI, when)}
	case question.RuleActor:
		return []markup.Text{f.answerLines(o.Answers), markup.Phrase(f.w.Rule.When, f.byRule(o.By), when)}
	}
	return []markup.Text{f.answerLines(o.Answers), markup.Phrase(f.w.ByPerson, personName(o.By), when)}
}

func (f frame) dismissedBy(o question.Outcome) markup.Text {
	when := markup.Clock(f.decidedAt(), f.now)
	switch {
	case o.By.Kind == question.Caller && f.Decision != nil && f.Decision.Withdrawn:
		return markup.Phrase(f.w.TakenBack, when)
	case f.Request.Permission != nil:
		return permissionEnding{frame: f}.rejectedBy(o)
	}
	switch o.By.Kind {
	case question.Deadline:
		return markup.Phrase(f.expiredFormat(), markup.Plain(f.w.Duration(f.TTL)))
	case question.OpenCode:
		return markup.Phrase(f.w.DismissedThere, when)
	case question.Caller:
		return byCaller(o.By, f.w.DismissedAPI, f.w.DismissedByAPI, when)
	}
	return markup.Phrase(f.w.DismissedBy, f.actorName(o.By), when)
}

// expiredFormat is the sentence for a question that nobody answered in time. It speaks of an
// agent only where one asked.
func (f frame) expiredFormat() string {
	if f.Origin.Way == session.AskAPI {
		return f.w.NobodyAsk
	}
	if f.Request.Protocol.EndsTurns() {
		return f.w.NobodyEnds
	}
	return f.w.NobodyReject
}

// byCaller names who called the API, if they said who they are.
func byCaller(by question.Actor, named, nameless string, when markup.Text) markup.Text {
	if by.Name == "" {
		return markup.Phrase(nameless, when)
	}
	return markup.Phrase(named, personName(by), when)
}

// deadlineLines tells what the deadline chose.
func (f frame) deadlineLines(answers question.Answers) []markup.Text {
	ttl, took := markup.Plain(f.w.Duration(f.TTL)), f.w.NobodyTook[f.OnExpiry]
	if len(f.Request.Items) > 1 {
		return []markup.Text{f.answerList(answers), markup.Phrase(took.Each, ttl)}
	}
	if slices.ContainsFunc(f.Request.Items[0].Options, func(o question.Option) bool { return o.Default }) {
		return []markup.Text{markup.Phrase(took.Default, ttl, f.answersInline(answers))}
	}
	return []markup.Text{markup.Phrase(took.One, ttl, f.answersInline(answers))}
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
func (f frame) unusedDecision() markup.Text {
	d, o := f.Decision, f.Outcome
	if d == nil || d.By == o.By || d.By.Kind != question.Person && d.By.Kind != question.Caller {
		return nil
	}
	switch {
	case d.Reject && o.Kind == question.OutcomeDismissed && d.Note == o.Note, !d.Reject && o.Kind == question.OutcomeAnswered && d.Answers.Equal(o.Answers):
		return nil
	case d.Reject && f.Request.Permission != nil:
		return markup.Phrase(f.unusedOrUnsure(f.w.Permission.NotUsedNo, f.w.Permission.UnsureNo), personName(d.By))
	case d.Reject:
		return markup.Phrase(f.unusedOrUnsure(f.w.NotUsedNo, f.w.UnsureNo), personName(d.By))
	case o.Kind == question.OutcomeAnswered && o.Answers == nil && f.Sent: // it was let run, and this may be why
		return markup.Phrase(f.w.Unsure, personName(d.By), f.answersInline(d.Answers))
	}
	return markup.Phrase(f.unusedOrUnsure(f.w.NotUsed, f.w.Unsure), personName(d.By), f.answersInline(d.Answers))
}

// unusedOrUnsure is the second text if the decision was sent and nothing tells what
// became of it.
func (f frame) unusedOrUnsure(not, unsure string) string {
	if f.Sent && !f.Outcome.Kind.Decided() {
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
func (f frame) ruleDecisionLines(what markup.Text) []markup.Text {
	state := f.whenSent()
	if f.Phase == question.PhaseWaiting {
		state = f.waitingFor()
	}
	return []markup.Text{what, f.byRule(f.Decision.By), state}
}

// deciders names who decided: all who approved, where it took several.
func (f frame) deciders() markup.Text {
	var names []markup.Text
	for _, by := range f.Deciders() {
		names = append(names, f.actorName(by))
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return markup.Join(f.w.Team.And, markup.Join(f.w.Comma, names[:last]...), names[last])
}

// heldLines tells a decision that can still be taken back, and who made it.
func (f frame) heldLines() []markup.Text {
	what := f.answerLines(f.Decision.Answers)
	if f.Decision.Reject {
		what = markup.Plain(f.w.Dismissed)
	}
	return []markup.Text{markup.Join(f.answerSeparator(), what, f.whoAndWhen())}
}

// whoAndWhen is who made the decision that is held, when it is sent, and that nobody is there to get it.
func (f frame) whoAndWhen() markup.Text {
	line := markup.Join(" · ", f.actorName(f.Decision.By), f.whenSent())
	if f.Away {
		return markup.Join("\n", line, f.waitingFor())
	}
	return line
}

// whenSent is how long a decision is still held: clients do not count it down, so it is what is left as the card is
// drawn.
func (f frame) whenSent() markup.Text {
	left := f.HeldTo.Sub(f.now)
	if f.Phase != question.PhaseHeld || left < time.Second/2 {
		return markup.Plain(f.w.Sending)
	}
	return markup.Phrase(f.w.Hold.SentIn, markup.Plain(f.w.Duration(left)))
}

// lateRow is the button below a question that ended without the answer that a person gave: it sends that as a prompt.
func (f frame) lateRow() []Button {
	if f.Phase != question.PhaseEnded || !f.LateTo || !f.Lost {
		return nil
	}
	return []Button{{Label: "📨 " + f.w.Late.Send, Order: inbound.Button{Kind: inbound.ButtonLate, Thread: f.Thread}}}
}

// lateLine says how a question that has ended can still be answered.
func (f frame) lateLine() markup.Text {
	if !f.LateTo || f.Lost {
		return nil
	}
	return markup.Plain(f.w.Late.Reply)
}

// LateOffer tells how an ask ended that an answer came too late for, and offers to send it as a prompt, which it shows: a long one by
// its beginning.
func LateOffer(t question.Thread, to session.ID, prompt string) Text {
	return func(r Reader) Body {
		s := newFrame(t.View(), r.Words, r.Now)
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
