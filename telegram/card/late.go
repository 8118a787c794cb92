package card

import (
	"strings"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/question"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// LateOffer asks which answer is to go as a prompt: as the question did, with its buttons.
// The question is whole in the message that this one replies to, so here it may be left
// out where it is long.
func LateOffer(t question.Thread, wizard question.Wizard, w words.Table, now time.Time) (markup.Text, [][]Button) {
	a := askOf(newFrame(question.View{
		Thread: t.ID, Step: wizard.Rev, Phase: question.PhaseAsking, Request: t.Request, Wizard: wizard, Project: t.Project, Place: t.Place,
	}, w, now), false)
	head, front, tail := a.layout()
	why := markup.Plain("📨 " + whyLate(t, w, now))
	text := markup.Join("\n\n", why, markup.Join("\n", head, markup.Join("\n\n", front, tail)))
	if text.Runes() > markup.MaxRunes {
		text = markup.Join("\n\n", why, head)
	}
	return text, lateRows(a, t.ID, w)
}

// whyLate says where the answer goes, and what it cannot do.
func whyLate(t question.Thread, w words.Table, now time.Time) string {
	if !t.Corrects() && !t.TimedOut() {
		return w.Late.Why
	}
	switch dismissed := t.Outcome.Kind == question.OutcomeDismissed; {
	case t.TimedOut() && !dismissed:
		return strings.Replace(w.Late.WhyTaken, "%s", takenAnswers(t, w, now), 1)
	case dismissed && t.Request.Protocol.EndsTurns():
		return w.Late.WhyEnded
	case dismissed:
		return w.Late.WhyDismissed
	}
	return strings.Replace(w.Late.WhyRuled, "%s", takenAnswers(t, w, now), 1)
}

// takenAnswers are those that the agent has got, cut where they are long.
func takenAnswers(t question.Thread, w words.Table, now time.Time) string {
	return markup.Shorten(newFrame(t.View(), w, now).answersInline(t.Outcome.Answers).String(), 300)
}

// lateRows are the buttons of a thread. To dismiss is to send nothing.
func lateRows(a ask, thread question.ID, w words.Table) [][]Button {
	var rows [][]Button
	for _, row := range a.keyboard() {
		var out []Button
		for _, b := range row {
			if b.Move.Action == question.Dismiss {
				b.Label = "🚫 " + w.Late.Drop
			}
			out = append(out, Button{Label: b.Label, Order: inbound.Button{Kind: inbound.ButtonLate, Thread: thread, Move: b.Move}, Style: b.Style})
		}
		rows = append(rows, out)
	}
	return rows
}

// LateOver says why the question takes no answer any more.
func LateOver(t question.Thread, w words.Table, now time.Time) markup.Text {
	s := newSummary(t.View(), w, now)
	switch {
	case t.Late != nil:
		return markup.Plain("📨 " + s.lateAnswerLine(t.Late))
	case t.Outcome != nil:
		return markup.Plain("⌛ " + s.outcomeLine())
	}
	return markup.Plain("❓ " + w.NoSuch)
}

// NameOf is what an ask is called in one line.
func NameOf(t question.Thread, w words.Table) string {
	r := requestText{t.Request, w}
	if t.Request.Permission != nil {
		return markup.Isolate(markup.Shorten(r.name(), 200))
	}
	return markup.Isolate(markup.Shorten(r.itemName(t.Wizard.Step), 200))
}
