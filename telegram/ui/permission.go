package ui

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/telegram/markup"
)

// permissionCard is the card of a permission ask.
type permissionCard struct {
	permissionEnding
	asked        // as the card shows it
	all    asked // whole
	partly bool  // the chat takes no files, and messages do not hold all of it: it cannot be allowed there
}

func newPermissionCard(f frame, withoutFile bool) permissionCard {
	e := permissionEnding{frame: f, whole: withoutFile && f.Request.Permission.FitsMessages()}
	all := newAsked(e)
	return permissionCard{e, all.folded(e.fold), all, withoutFile && !e.whole}
}

func (c permissionCard) layout() (head, front, tail markup.Text) {
	if c.Phase != question.PhaseAsking {
		return closedParts(c.headline(c.sign(), c.name(), equalAsks(c.frame)...), c.askedFor(), append(c.whose(), c.lines()...))
	}
	return c.headline("🔐", c.name(), equalAsks(c.frame)...), c.askedFor(), markup.Join("\n\n", c.whereAndHowLong(), c.confirmation(), c.teamLines(), c.remarks(), c.whyNotHere())
}

func (c permissionCard) keyboard() [][]Button {
	if c.Phase != question.PhaseAsking {
		return c.closedRows()
	}
	return withoutEmpty(append(c.askingRows(), c.claimRow()))
}

// whyNotHere says why the card has no button that allows it.
func (c permissionCard) whyNotHere() markup.Text {
	switch {
	case !c.partly:
		return nil
	case c.Origin.Way == session.AskAPI:
		return markup.Plain("❗ " + c.w.Permission.TooLongAsk)
	}
	return markup.Plain("❗ " + c.w.Permission.TooLong)
}

// equalAsks says how many equal asks the card stands for, if that is more than one.
func equalAsks(f frame) []string {
	if f.Count < 2 {
		return nil
	}
	return []string{fmt.Sprintf(f.w.Permission.Times, f.Count)}
}

// whereAndHowLong says which directory and session it is about, how long it waits, and what Always would add.
func (c permissionCard) whereAndHowLong() markup.Text {
	folder := letters.OneLine(c.Origin.Directory)
	if c.Origin.Resolved != "" {
		folder += " → " + letters.OneLine(c.Origin.Resolved)
	}
	place := markup.Phrase(c.w.Permission.In, markup.Plain(folder))
	if c.Origin.Directory == "" {
		place = nil
	}
	lines := []markup.Text{markup.Join(" · ", place, c.sessionTitle(), c.deadline())}
	if c.Wizard.Step == question.StepGrant && len(c.Request.Permission.Always) > 0 {
		lines = append(lines, markup.Phrase(c.chooseByLifetime(c.w.Permission.Would, c.w.Permission.WouldKeep), c.alwaysLines()))
	}
	return markup.Join("\n", lines...)
}

// confirmation asks again before what cannot be taken back.
func (c permissionCard) confirmation() markup.Text {
	if c.Watches {
		return nil // others are asked
	}
	switch c.Wizard.Step {
	case question.StepAlways:
		return markup.Phrase(c.sureText(), markup.Plain(letters.OneLine(c.Origin.Directory)), c.alwaysLines())
	case question.StepNote:
		return markup.Phrase(c.w.Permission.Note, markup.Plain(quote(letters.Exposed(c.Wizard.Note()))))
	}
	if c.Wizard.Typing {
		return markup.Plain(c.w.Permission.Reply)
	}
	return nil
}

// askingRows are the buttons of a permission.
func (c permissionCard) askingRows() [][]Button {
	back := Button{Label: "◀ " + c.w.Back, Move: question.WizardInput{Action: question.Go, Rev: c.Step}}
	send := question.WizardInput{Action: question.Send, Rev: c.Step}
	switch {
	case c.Wizard.Step == question.StepAlways && c.partly:
		return [][]Button{{back}}
	case c.Wizard.Step == question.StepAlways:
		return [][]Button{{{Label: "🔓 " + c.w.Permission.Always, Move: send}, back}}
	case c.Wizard.Step == question.StepNote:
		return [][]Button{{{Label: "💬 " + c.w.Permission.RejectNote, Move: send, Style: StyleDanger}}, {back}}
	case c.Wizard.Typing:
		return [][]Button{{c.moveButton("◀ "+c.w.Back, question.Type, 0, false)}}
	}
	once := c.moveButton("✅ "+c.w.Permission.Once, question.Pick, question.PickOnce, false)
	once.Style = styleSuccess
	reject := Button{Label: "🚫 " + c.w.Permission.Reject, Move: question.WizardInput{Action: question.Dismiss, Rev: c.Step}, Style: StyleDanger}
	first := []Button{once}
	if len(c.Request.Permission.Always) > 0 {
		first = append(first, c.moveButton("🔓 "+c.w.Permission.Always, question.Pick, question.PickAlways, false))
	}
	if c.partly {
		first = nil
	}
	if !c.Request.TakesNote() {
		return [][]Button{first, {reject}}
	}
	return [][]Button{first, {reject, c.moveButton("💬 "+c.w.Permission.RejectNote, question.Type, 0, true)}}
}

// permissionEnding tells what became of a permission ask.
type permissionEnding struct {
	frame
	whole bool // nothing is left out, however long it is: the chat takes no files, and messages hold it
}

// alwaysPatterns are the patterns that Always adds, within a line.
func (e permissionEnding) alwaysPatterns() markup.Text { return e.alwaysJoined(e.w.Comma) }

// alwaysLines has each pattern on a line of its own, where there are several: broken within a line they could be misread.
func (e permissionEnding) alwaysLines() markup.Text {
	if e.Withheld || len(e.Request.Permission.Always) == 1 {
		return e.alwaysPatterns()
	}
	return append(markup.Plain("\n"), e.alwaysJoined("\n")...)
}

// alwaysJoined are the patterns set as code, for the agent's words are in them. Of those that are too long for a card it is how they begin.
func (e permissionEnding) alwaysJoined(sep string) markup.Text {
	if e.Withheld {
		return markup.Plain("…")
	}
	list, all := e.fold(e.alwaysList(sep), false), e.Request.Permission.Always
	if len(all) == 1 && all[0] == "*" { // hermes' own words
		return markup.Plain(list)
	}
	if over := utf8.RuneCountInString(list) - alwaysRunes; over > 0 && !e.whole {
		return markup.Text{{Text: string([]rune(list)[:alwaysRunes]), Word: true}, {Text: " ⋯ " + fmt.Sprintf(e.w.Permission.Omitted, over) + " ⋯"}}
	}
	return markup.Text{{Text: list, Word: true}}
}

func (e permissionEnding) fold(text string, diff bool) string {
	return letters.Fold(text, diff, e.w.Permission.BlankLines, e.w.Permission.Spaces)
}

// alwaysList are all patterns that Always adds. What the pattern * means stands before it.
func (e permissionEnding) alwaysList(sep string) string {
	list := eachOnOneLine(e.Request.Permission.Always)
	for i, pattern := range list {
		if pattern == "*" {
			list[i] = cmp.Or(e.w.Permission.Every[e.Request.Permission.Kind], e.w.Permission.Every[""]) + " (*)"
		}
	}
	return strings.Join(list, sep)
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
		return e.frame.lines()
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
	return markup.Plain(e.endedWithoutAnswer(*e.Outcome))
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
		return e.tooFewInTime()
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
