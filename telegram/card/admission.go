package card

import (
	"fmt"
	"strconv"
	"strings"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/markup"
)

// admission is the card about somebody who is to be let in, or was removed.
func (p page) admission() (head, front, tail markup.Text) {
	a := *p.Request.Admission
	switch {
	case p.Newcomer:
		return p.waits(a)
	case a.Removed:
		return p.removed(a)
	case p.Outcome == nil:
		return p.headline("🚪", p.wants(a)), p.newcomer(a), markup.Join("\n\n", p.linkMade(a), p.remarks(), p.deadline())
	}
	return p.headline(p.signOfAdmission(), p.wants(a)), p.newcomer(a), p.admissionEnd()
}

// wants is the first line for those who decide.
func (p page) wants(a question.Admission) string {
	form := p.w.Admission.Wants
	switch {
	case p.Outcome != nil && a.Group:
		form = p.w.Admission.WantedGroup
	case p.Outcome != nil:
		form = p.w.Admission.Wanted
	case a.Group:
		form = p.w.Admission.WantsGroup
	}
	return fmt.Sprintf(form, newcomerName(a))
}

// newcomerName is how Telegram names the person. They have chosen it themselves.
func newcomerName(a question.Admission) string {
	return person(question.Actor{Name: a.User.Name, User: a.User.ID}).String()
}

// newcomer says who it is, and what they would be given.
func (p page) newcomer(a question.Admission) markup.Text {
	w := p.w.Admission
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
		lines = append(lines, markup.Phrase(w.MayAs, markup.Plain(p.roles(a))))
	case !a.Group:
		lines = append(lines, markup.Plain(w.May))
	}
	return markup.Join("\n", lines...)
}

func (p page) roles(a question.Admission) string {
	return strings.Join(eachOnOneLine(a.Roles), p.w.Comma)
}

func (p page) linkMade(a question.Admission) markup.Text {
	return markup.Phrase(p.w.Admission.Made, markup.Clock(a.Made, p.now))
}

func (p page) signOfAdmission() string {
	switch {
	case p.Outcome.Kind == question.OutcomeAnswered:
		return "✅"
	case p.Outcome.By.Kind == question.Deadline:
		return "⌛"
	}
	return "🚫"
}

// admissionEnd says how it ended, for those who decide.
func (p page) admissionEnd() markup.Text {
	o, w := *p.Outcome, p.w.Admission
	when := markup.Clock(o.At, p.now)
	switch {
	case o.Kind == question.OutcomeAnswered:
		return markup.Phrase(w.LetInBy, person(o.By), when)
	case o.By.Kind == question.Deadline:
		return markup.Plain(w.Nobody)
	case o.By.Kind == question.Caller:
		return markup.Phrase(w.Withdrawn, when)
	}
	return markup.Phrase(w.RefusedBy, person(o.By), when)
}

// admissionShort is the end, or the decision, in one line.
func (p page) admissionShort() string {
	if p.Outcome == nil && p.Decision != nil {
		p.Outcome = &question.Outcome{Kind: question.OutcomeAnswered, By: p.Decision.By, At: p.Decision.At}
		if p.Decision.Reject {
			p.Outcome.Kind = question.OutcomeDismissed
		}
	}
	if p.Outcome == nil || p.Request.Admission.Removed {
		return p.w.NoSuch
	}
	return p.admissionEnd().String()
}

// waits is the card of those who wait. It names nobody: they may be strangers for good.
func (p page) waits(a question.Admission) (head, front, tail markup.Text) {
	w := p.w.Admission
	waiting, admitted, unwanted := w.Waiting, w.Admitted, w.Unwanted
	if a.Group {
		waiting, admitted, unwanted = w.WaitingGroup, w.AdmittedGroup, w.UnwantedGroup
	}
	switch {
	case p.Outcome == nil:
		return markup.Plain("⏳ " + waiting), nil, p.deadline()
	case p.Outcome.Kind == question.OutcomeAnswered:
		return append(markup.Plain("✅ "), markup.Phrase(admitted, markup.Clock(p.Outcome.At, p.now))...), nil, nil
	}
	return markup.Plain("🚫 " + unwanted), nil, nil
}

// removed tells who or what was removed.
func (p page) removed(a question.Admission) (head, front, tail markup.Text) {
	w, when := p.w.Admission, markup.Clock(p.Outcome.At, p.now)
	if a.Group {
		return p.headline("🚪", fmt.Sprintf(w.RemovedGroup, strconv.FormatInt(int64(a.Chat), 10))), nil, markup.Phrase(w.NoMoreGroup, when)
	}
	return p.headline("🚪", fmt.Sprintf(w.Removed, newcomerName(a))), p.formerly(a), markup.Phrase(w.NoMore, when)
}

// formerly says who was removed.
func (p page) formerly(a question.Admission) markup.Text {
	id := fmt.Sprintf(p.w.Admission.ID, strconv.FormatInt(int64(a.User.ID), 10))
	return markup.Join(" · ", markup.Plain(id), markup.Plain(p.roles(a)))
}

// admissionRows are the buttons of those who decide.
func (p page) admissionRows() [][]Button {
	if p.Newcomer {
		return nil
	}
	return [][]Button{{
		{Label: "✅ " + p.w.Admission.LetIn, Move: question.Move{Action: question.Send, Rev: p.Step}},
		{Label: "🚫 " + p.w.Admission.Refuse, Move: question.Move{Action: question.Dismiss, Rev: p.Step}, Style: StyleDanger},
	}}
}
