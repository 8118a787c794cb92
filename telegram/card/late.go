package card

import (
	"strings"
	"time"

	"hermes/internal/question"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// lateRow is the button below a question that waits for no answer any more: it leads to
// an answer that goes as a prompt.
func (p page) lateRow() []Button {
	if p.Phase != question.PhaseEnded || !p.LateTo {
		return nil
	}
	label := "📨 " + p.w.Late.Send
	if p.Corrects {
		label = "✏️ " + p.w.Late.Correct
	}
	return []Button{{Label: label, Order: question.Order{Kind: question.OrderLate, Thread: p.Thread}}}
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

// LateOffer asks which answer is to go as a prompt: as the question did, with its buttons.
// The question is whole in the message that this one replies to, so here it may be left
// out where it is long.
func LateOffer(t question.Thread, wizard question.Wizard, w words.Table, now time.Time) (markup.Text, [][]Button) {
	p := newPage(question.View{
		Thread: t.ID, Step: wizard.Rev, Phase: question.PhaseAsking, Request: t.Request, Wizard: wizard, Project: t.Project, Place: t.Place,
	}, w, now)
	head, front, tail := p.layout()
	why := markup.Plain("📨 " + whyLate(t, w, now))
	text := markup.Join("\n\n", why, markup.Join("\n", head, markup.Join("\n\n", front, tail)))
	if text.Runes() > markup.MaxRunes {
		text = markup.Join("\n\n", why, head)
	}
	return text, lateRows(p)
}

// whyLate says where the answer goes, and what it cannot do.
func whyLate(t question.Thread, w words.Table, now time.Time) string {
	if !t.Corrects() {
		return w.Late.Why
	}
	if t.Outcome.Kind == question.OutcomeDismissed {
		return w.Late.WhyDismissed
	}
	answers := newPage(t.View(), w, now).inline(t.Outcome.Answers)
	return strings.Replace(w.Late.WhyRuled, "%s", markup.Shorten(answers.String(), 300), 1)
}

// lateRows are the question's buttons. To dismiss is to send nothing.
func lateRows(p page) [][]Button {
	var rows [][]Button
	for _, row := range p.keyboard() {
		var out []Button
		for _, b := range row {
			if b.Move.Action == question.Dismiss {
				b.Label = "🚫 " + p.w.Late.Drop
			}
			out = append(out, Button{Label: b.Label, Order: question.Order{Kind: question.OrderLate, Thread: p.Thread, Move: b.Move}, Style: b.Style})
		}
		rows = append(rows, out)
	}
	return rows
}

// LateOver says why the question takes no answer any more.
func LateOver(t question.Thread, w words.Table, now time.Time) markup.Text {
	p := newPage(t.View(), w, now)
	switch {
	case t.Late != nil:
		return markup.Plain("📨 " + p.lateShort(t.Late))
	case t.Outcome != nil:
		return markup.Plain("⌛ " + p.endedShort())
	}
	return markup.Plain("❓ " + w.NoSuch)
}

// NameOf is what an ask is called in one line.
func NameOf(t question.Thread, w words.Table, now time.Time) string {
	p := newPage(question.View{Request: t.Request, Project: t.Project}, w, now)
	if t.Request.Permission != nil {
		return markup.Isolate(markup.Shorten(p.headers(), 200))
	}
	return markup.Isolate(markup.Shorten(p.header(t.Wizard.Step), 200))
}
