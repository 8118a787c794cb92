package card

import (
	"fmt"
	"strings"
	"time"

	"hermes/internal/question"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// summary says in a line how a thread stands.
type summary struct{ ending }

func newSummary(v question.View, w words.Table, now time.Time) summary {
	return summary{ending{newFrame(v, w, now)}}
}

// outcomeLine says in a line how a question ended.
func (s summary) outcomeLine() string {
	if s.Outcome == nil {
		return s.w.NoSuch
	}
	if s.Request.Admission != nil {
		return admissionCard{s.frame}.shortEnd()
	}
	o := *s.Outcome
	switch o.Kind {
	case question.OutcomeAnswered:
		return s.answeredLine(o.Answers, o.By, o.At)
	case question.OutcomeDismissed:
		if o.By.Kind == question.Deadline {
			return s.w.AlertExpired
		}
		return s.dismissedBy(o).String()
	}
	return strings.TrimRight(s.endedWithoutAnswer(o.Kind), ".。")
}

// decisionLine says in a line who has decided. Nothing proves yet that it arrived.
func (s summary) decisionLine() string {
	d := s.Decision
	switch {
	case d == nil:
		return s.w.NoSuch
	case s.Request.Admission != nil:
		return admissionCard{s.frame}.shortEnd()
	case s.Phase == question.PhaseHeld:
		return markup.Phrase(s.w.Hold.NotYet, s.actorName(d.By)).String()
	case d.By.Kind == question.Deadline:
		return s.w.AlertExpired
	case d.Reject && s.Request.Permission != nil:
		return fmt.Sprintf(s.w.Permission.ChoseNo, s.actorName(d.By).String(), markup.TimeOfDay(d.At, s.now))
	case d.Reject:
		return fmt.Sprintf(s.w.AlertChoseNo, s.actorName(d.By).String(), markup.TimeOfDay(d.At, s.now))
	}
	return s.answeredBy(s.w.AlertChose, d.Answers, d.By, d.At)
}

func (s summary) answeredLine(answers question.Answers, by question.Actor, at time.Time) string {
	switch by.Kind {
	case question.OpenCode:
		return fmt.Sprintf(s.w.AlertThere, s.answersInBrief(answers), markup.TimeOfDay(at, s.now))
	case question.Deadline:
		return s.w.AlertExpired
	}
	return s.answeredBy(s.w.AlertAnswered, answers, by, at)
}

func (s summary) answeredBy(format string, answers question.Answers, by question.Actor, at time.Time) string {
	return fmt.Sprintf(format, s.answersInBrief(answers), s.actorName(by).String(), markup.TimeOfDay(at, s.now))
}

func (s summary) answersInBrief(answers question.Answers) string {
	return markup.Shorten(markup.OneLine(s.answersInline(answers).String()), 100)
}

// lateAnswerLine says in a line that there is a late answer already.
func (s summary) lateAnswerLine(l *question.Late) string {
	if l == nil {
		return s.w.NoSuch
	}
	return s.answeredBy(s.w.Late.Already, l.Answers, l.By, l.At)
}

// reminderLine names what still waits.
func (s summary) reminderLine() markup.Text {
	head := s.headline("⏰", s.name())
	return append(markup.Plain("⏰ "), markup.Phrase(s.w.Remind, head[1:])...)
}

// latestLine says in a line what became of the question.
func (s summary) latestLine() string {
	switch {
	case s.Phase == question.PhaseTaken:
		return takenText(s.Owned, s.w)
	case s.Outcome != nil:
		return s.outcomeLine()
	}
	return s.decisionLine()
}
