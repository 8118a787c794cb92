package telegram

import (
	"strconv"

	"hermes/internal/question"
)

// closed is the card of a thread that takes no more input: on its way, waiting
// for OpenCode, or ended. It keeps the question and tells what became of it.
func (p page) closed() (head, front, tail rich) {
	var lines []rich
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
	if front = p.asked(); front.runes() < maxRunes {
		// One paragraph: the end stands right below the question.
		return head, nil, join("\n", front, join("\n", lines...))
	}
	return head, front, join("\n", lines...)
}

// asked repeats the question; several only until their answers list them.
func (p page) asked() rich {
	switch {
	case p.Request.Permission != nil:
		return p.wanted()
	case len(p.Request.Items) == 1:
		return join("\n\n", p.text(0), p.context())
	case p.answers() != nil:
		return nil
	}
	var lines []rich
	for i := range p.Request.Items {
		name := plain(strconv.Itoa(i+1) + ". " + apart(p.header(i)) + ": ")
		lines = append(lines, append(name, p.text(i)...))
	}
	return join("\n", lines...)
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

func (p page) sending() []rich {
	if p.Decision.Reject {
		return []rich{plain(p.w.Dismissed + " · " + p.w.Sending)}
	}
	return []rich{join(p.joint(), p.result(p.Decision.Answers), plain(p.w.Sending))}
}

// joint is between an answer and the words about it: one answer shares its line.
func (p page) joint() string {
	if len(p.Request.Items) > 1 {
		return "\n"
	}
	return " · "
}

// waitingFor names the machine whose OpenCode is not there.
func (p page) waitingFor() rich {
	if host := oneLine(p.Origin.Host); host != "" {
		return phrase(p.w.WaitingAt, plain(apart(host)))
	}
	return plain(p.w.Waiting)
}

func (p page) waiting() []rich {
	where := p.waitingFor()
	switch {
	case p.Decision.Reject:
		return []rich{join(" ", where, plain(p.w.KeptNo))}
	case p.Decision.By.Kind == question.Deadline:
		return append(p.took(p.Decision.Answers), where)
	case len(p.Request.Items) > 1:
		return []rich{p.list(p.Decision.Answers), join(" ", where, plain(p.w.Kept+p.w.Stop))}
	}
	return []rich{join(" ", where, append(plain(p.w.Kept+p.w.Colon), p.inline(p.Decision.Answers)...))}
}
