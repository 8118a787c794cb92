package telegram

import (
	"strings"

	"hermes/internal/question"
	"hermes/telegram/markup"
)

// lateRow is the button below a question that waits for no answer any more: it leads to
// an answer that goes as a prompt.
func (p page) lateRow() []button {
	if p.Phase != question.PhaseEnded || !p.LateTo {
		return nil
	}
	label := "📨 " + p.w.Late.Send
	if p.Corrects {
		label = "✏️ " + p.w.Late.Correct
	}
	return []button{{label: label, order: question.Order{Kind: question.OrderLate, Thread: p.Thread}}}
}

// late tells of an answer that went as a prompt, or is to.
func (p page) late() []markup.Text {
	l := p.Late
	if l == nil {
		return nil
	}
	who := person(l.By)
	switch l.State {
	case question.LateSent:
		return []markup.Text{p.result(l.Answers), markup.Phrase(p.w.Late.Sent, who, markup.Clock(l.At, p.now))}
	case question.LateRefused:
		return []markup.Text{markup.Phrase(p.w.Late.Refused, who, p.inline(l.Answers))}
	case question.LateDeleted:
		return []markup.Text{markup.Phrase(p.w.Late.Deleted, who, p.inline(l.Answers))}
	case question.LateUnsure:
		return []markup.Text{markup.Phrase(p.w.Unsure, who, p.inline(l.Answers))}
	case question.LateOwed:
	}
	return []markup.Text{markup.Phrase(p.w.Late.Owed, who, p.inline(l.Answers))}
}

// sentLate reports whether what was decided and not used goes as a prompt by now.
func (p page) sentLate() bool {
	return p.Late != nil && p.Decision != nil && p.Late.Answers.Equal(p.Decision.Answers)
}

// lateShort says in a line that there is a late answer already.
func (p page) lateShort(l *question.Late) string {
	if l == nil {
		return p.w.NoSuch
	}
	return p.answeredBy(p.w.Late.Already, l.Answers, l.By, l.At)
}

// offer asks which answer is to go as a prompt: as the question did, with its buttons.
// The question is whole in the message that this one replies to, so here it may be left
// out where it is long.
func (p teller) offer() told {
	t := p.Asks[0]
	page := newPage(question.View{
		Thread: t.ID, Step: p.Wizard.Rev, Phase: question.PhaseAsking, Request: t.Request, Wizard: p.Wizard, Project: t.Project, Place: t.Place,
	}, p.w, p.now)
	head, front, tail := page.layout()
	why := markup.Plain("📨 " + p.whyLate(t))
	text := markup.Join("\n\n", why, markup.Join("\n", head, markup.Join("\n\n", front, tail)))
	if text.Runes() > markup.MaxRunes {
		text = markup.Join("\n\n", why, head)
	}
	return told{parts: []markup.Text{text}, rows: p.lateRows(page)}
}

// whyLate says where the answer goes, and what it cannot do.
func (p teller) whyLate(t question.Thread) string {
	if !t.Corrects() {
		return p.w.Late.Why
	}
	if t.Outcome.Kind == question.OutcomeDismissed {
		return p.w.Late.WhyDismissed
	}
	page := newPage(t.View(), p.w, p.now)
	return strings.Replace(p.w.Late.WhyRuled, "%s", markup.Shorten(page.inline(t.Outcome.Answers).String(), 300), 1)
}

// lateRows are the question's buttons. To dismiss is to send nothing.
func (p teller) lateRows(page page) [][]orderButton {
	var rows [][]orderButton
	for _, row := range page.keyboard() {
		var out []orderButton
		for _, b := range row {
			if b.move.Action == question.Dismiss {
				b.label = "🚫 " + p.w.Late.Drop
			}
			out = append(out, orderButton{b.label, question.Order{Kind: question.OrderLate, Thread: page.Thread, Move: b.move}, b.style})
		}
		rows = append(rows, out)
	}
	return rows
}

// lateOver says why the question takes no answer any more.
func (p teller) lateOver() markup.Text {
	t := p.Asks[0]
	page := newPage(t.View(), p.w, p.now)
	switch {
	case t.Late != nil:
		return markup.Plain("📨 " + page.lateShort(t.Late))
	case t.Outcome != nil:
		return markup.Plain("⌛ " + page.endedShort())
	}
	return markup.Plain("❓ " + p.w.NoSuch)
}
