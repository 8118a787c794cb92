package ui

import (
	"fmt"
	"strconv"
	"strings"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/markup"
)

// admissionCard is the card about somebody who asks to be let in, or was removed.
type admissionCard struct{ frame }

// A request to be let in is never long.
func (c admissionCard) tooLong() bool                      { return false }
func (c admissionCard) file() (text, name, caption string) { return "", "", "" }

// layout is the card about somebody who waits to be let in, or was removed.
func (c admissionCard) layout() (head, front, tail markup.Text) {
	a := *c.Request.Admission
	switch {
	case c.Newcomer:
		return c.newcomerLayout(a)
	case a.Removed:
		return c.removedLayout(a)
	case c.Outcome == nil:
		return c.headline("🚪", c.firstLine(a)), c.whoAndWhat(a), markup.Join("\n\n", c.whenLinkWasMade(a), c.remarks(), c.deadline())
	}
	return c.headline(c.endSign(), c.firstLine(a)), c.whoAndWhat(a), c.endLine()
}

// firstLine is the first line for those who decide.
func (c admissionCard) firstLine(a question.Admission) string {
	form := c.w.Admission.Wants
	switch {
	case c.Outcome != nil && a.Group:
		form = c.w.Admission.WantedGroup
	case c.Outcome != nil:
		form = c.w.Admission.Wanted
	case a.Group:
		form = c.w.Admission.WantsGroup
	}
	return fmt.Sprintf(form, newcomerName(a))
}

// newcomerName is how Telegram names the person. They have chosen it themselves.
func newcomerName(a question.Admission) string {
	return personName(question.Actor{Name: a.User.Name, User: a.User.ID}).String()
}

// whoAndWhat says who it is, and what they would be given.
func (c admissionCard) whoAndWhat(a question.Admission) markup.Text {
	w := c.w.Admission
	who := markup.Plain(fmt.Sprintf(w.ID, strconv.FormatInt(int64(a.User.ID), 10)))
	if a.User.Username != "" {
		who = markup.Join(" · ", markup.Plain("@"+markup.Isolate(letters.OneLine(a.User.Username))), who)
	}
	lines := []markup.Text{who}
	if a.Name != "" {
		lines = append(lines, markup.Phrase(w.Invited, markup.Plain(markup.Isolate(letters.OneLine(a.Name)))))
	}
	if a.Group {
		lines = append(lines, markup.Phrase(w.Group, markup.Plain(markup.Isolate(markup.Shorten(letters.OneLine(a.Title), 64))), markup.Plain(strconv.FormatInt(int64(a.Chat), 10))))
	}
	switch {
	case len(a.Roles) > 0:
		lines = append(lines, markup.Phrase(w.MayAs, markup.Plain(c.roleList(a))))
	case !a.Group:
		lines = append(lines, markup.Plain(w.May))
	}
	return markup.Join("\n", lines...)
}

func (c admissionCard) roleList(a question.Admission) string {
	return strings.Join(eachOnOneLine(a.Roles), c.w.Comma)
}

func (c admissionCard) whenLinkWasMade(a question.Admission) markup.Text {
	return markup.Phrase(c.w.Admission.Made, markup.Clock(a.Made, c.now))
}

func (c admissionCard) endSign() string {
	switch {
	case c.Outcome.Kind == question.OutcomeAnswered:
		return "✅"
	case c.Outcome.By.Kind == question.Deadline:
		return "⌛"
	}
	return "🚫"
}

// endLine says how it ended, for those who decide.
func (c admissionCard) endLine() markup.Text {
	o, w := *c.Outcome, c.w.Admission
	when := markup.Clock(o.At, c.now)
	switch {
	case o.Kind == question.OutcomeAnswered:
		return markup.Phrase(w.LetInBy, personName(o.By), when)
	case o.By.Kind == question.Deadline:
		return markup.Plain(w.Nobody)
	case o.By.Kind == question.Caller:
		return markup.Phrase(w.Withdrawn, when)
	}
	return markup.Phrase(w.RefusedBy, personName(o.By), when)
}

// shortEnd is the end, or the decision, in one line.
func (c admissionCard) shortEnd() string {
	if c.Outcome == nil && c.Decision != nil {
		c.Outcome = &question.Outcome{Kind: question.OutcomeAnswered, By: c.Decision.By, At: c.Decision.At}
		if c.Decision.Reject {
			c.Outcome.Kind = question.OutcomeDismissed
		}
	}
	if c.Outcome == nil || c.Request.Admission.Removed {
		return c.w.NoSuch
	}
	return c.endLine().String()
}

// newcomerLayout is the card of those who wait. It names nobody: they may be strangers for good.
func (c admissionCard) newcomerLayout(a question.Admission) (head, front, tail markup.Text) {
	w := c.w.Admission
	waiting, admitted, unwanted := w.Waiting, w.Admitted, w.Unwanted
	if a.Group {
		waiting, admitted, unwanted = w.WaitingGroup, w.AdmittedGroup, w.UnwantedGroup
	}
	switch {
	case c.Outcome == nil:
		return markup.Plain("⏳ " + waiting), nil, c.deadline()
	case c.Outcome.Kind == question.OutcomeAnswered:
		return append(markup.Plain("✅ "), markup.Phrase(admitted, markup.Clock(c.Outcome.At, c.now))...), nil, nil
	}
	return markup.Plain("🚫 " + unwanted), nil, nil
}

// removedLayout tells who or what was removed.
func (c admissionCard) removedLayout(a question.Admission) (head, front, tail markup.Text) {
	w, when := c.w.Admission, markup.Clock(c.Outcome.At, c.now)
	if a.Group {
		return c.headline("🚪", fmt.Sprintf(w.RemovedGroup, strconv.FormatInt(int64(a.Chat), 10))), nil, markup.Phrase(w.NoMoreGroup, when)
	}
	return c.headline("🚪", fmt.Sprintf(w.Removed, newcomerName(a))), c.whoWasRemoved(a), markup.Phrase(w.NoMore, when)
}

// whoWasRemoved names them by their id and roles.
func (c admissionCard) whoWasRemoved(a question.Admission) markup.Text {
	id := fmt.Sprintf(c.w.Admission.ID, strconv.FormatInt(int64(a.User.ID), 10))
	return markup.Join(" · ", markup.Plain(id), markup.Plain(c.roleList(a)))
}

// keyboard are the buttons of those who decide.
func (c admissionCard) keyboard() [][]Button {
	switch {
	case c.Phase != question.PhaseAsking:
		return c.closedRows()
	case c.Newcomer:
		return nil
	}
	return [][]Button{{
		{Label: "✅ " + c.w.Admission.LetIn, Move: question.WizardInput{Action: question.Send, Rev: c.Step}},
		{Label: "🚫 " + c.w.Admission.Refuse, Move: question.WizardInput{Action: question.Dismiss, Rev: c.Step}, Style: StyleDanger},
	}}
}
