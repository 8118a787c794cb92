package card

import (
	"strconv"

	"hermes/internal/question"
	"hermes/telegram/markup"
)

// closed is the card of a thread that takes no more input: on its way, waiting
// for OpenCode, or ended. It keeps the question and tells what became of it.
func (p page) closed() (head, front, tail markup.Text) {
	var lines []markup.Text
	sign := p.sign()
	switch {
	case p.Outcome == nil && p.ruled():
		lines = p.ruledLines()
	case p.Request.Permission != nil:
		lines = p.decidedLines()
	case p.Phase == question.PhaseSending:
		lines = p.sending()
	case p.Phase == question.PhaseWaiting:
		lines = p.waiting()
	default:
		lines = p.ended()
	}
	head = p.headline(sign, p.headers(), p.times()...)
	if front = p.asked(); front.Runes() < markup.MaxRunes {
		// One paragraph: the end stands right below the question.
		return head, nil, markup.Join("\n", front, markup.Join("\n", lines...))
	}
	return head, front, markup.Join("\n", lines...)
}

// asked repeats the question; several only until their answers list them.
func (p page) asked() markup.Text {
	switch {
	case p.Request.Permission != nil:
		return p.wanted()
	case len(p.Request.Items) == 1:
		return markup.Join("\n\n", p.text(0), p.context())
	case p.answers() != nil:
		return nil
	}
	var lines []markup.Text
	for i := range p.Request.Items {
		name := markup.Plain(strconv.Itoa(i+1) + ". " + markup.Isolate(p.header(i)) + ": ")
		lines = append(lines, append(name, p.text(i)...))
	}
	return markup.Join("\n", lines...)
}

// answers are those that the card lists now, nil for none.
func (p page) answers() question.Answers {
	switch {
	case p.Outcome != nil && p.Outcome.Kind == question.OutcomeAnswered:
		return p.Outcome.Answers
	case p.Outcome == nil && p.Decision != nil && !p.Decision.Reject:
		return p.Decision.Answers
	}
	return nil
}

func (p page) sign() string {
	switch {
	case p.Phase == question.PhaseSending, p.Outcome == nil && p.Phase != question.PhaseWaiting:
		return "⏳"
	case p.Phase == question.PhaseWaiting:
		return "📡"
	case p.Outcome.Kind == question.OutcomeAnswered, p.Outcome.Kind == question.OutcomeDismissed:
		return p.signOfAnswer()
	}
	return "⚠️"
}

func (p page) signOfAnswer() string {
	switch {
	case p.Request.Permission != nil:
		return p.signOfGrant()
	case p.Outcome.By.Kind == question.Deadline:
		return "⌛"
	case p.ruled():
		return "🤖"
	case p.Outcome.Kind == question.OutcomeDismissed:
		return "🚫"
	}
	return "✅"
}

func (p page) sending() []markup.Text {
	if p.Decision.Reject {
		return []markup.Text{markup.Plain(p.w.Dismissed + " · " + p.w.Sending)}
	}
	return []markup.Text{markup.Join(p.joint(), p.result(p.Decision.Answers), markup.Plain(p.w.Sending))}
}

// joint is between an answer and the words about it: one answer shares its line.
func (p page) joint() string {
	if len(p.Request.Items) > 1 {
		return "\n"
	}
	return " · "
}

// waitingFor names the machine whose OpenCode is not there.
func (p page) waitingFor() markup.Text {
	if host := markup.OneLine(p.Origin.Host); host != "" {
		return markup.Phrase(p.w.WaitingAt, markup.Plain(markup.Isolate(host)))
	}
	return markup.Plain(p.w.Waiting)
}

func (p page) waiting() []markup.Text {
	where := p.waitingFor()
	switch {
	case p.Decision.Reject:
		return []markup.Text{markup.Join(" ", where, markup.Plain(p.w.KeptNo))}
	case p.Decision.By.Kind == question.Deadline:
		return append(p.took(p.Decision.Answers), where)
	case len(p.Request.Items) > 1:
		return []markup.Text{p.list(p.Decision.Answers), markup.Join(" ", where, markup.Plain(p.w.Kept+p.w.Stop))}
	}
	return []markup.Text{markup.Join(" ", where, append(markup.Plain(p.w.Kept+p.w.Colon), p.inline(p.Decision.Answers)...))}
}
