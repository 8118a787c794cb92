package card

import (
	"time"

	"hermes/internal/question"
	"hermes/telegram/markup"
)

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
