package ui

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"hermes/internal/letters"
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
	return strings.TrimRight(s.endedWithoutAnswer(o), ".。")
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

// What of a name is shown: so wide on screen, and so many code points.
const (
	nameWidth = 40
	nameRunes = 64
)

// personName is an actor's name on one line, as plainName leaves it, or the id where there is
// no name.
func personName(a question.Actor) markup.Text {
	name := plainName(a.Name)
	switch {
	case name != "":
		return markup.Plain(markup.Isolate(name))
	case a.User != 0:
		return markup.Plain(fmt.Sprint(a.User))
	case a.Kind == question.Caller:
		return markup.Plain("API")
	}
	return markup.Plain("?")
}

// plainName leaves of a name what cannot be taken for a card's own words and signs:
// letters, digits, and the punctuation that names have, without anything invisible.
// Everybody at Telegram chooses a name freely. It is empty if no letter or digit is left.
func plainName(name string) string {
	var b strings.Builder
	marks, some := 0, false
	for _, r := range strings.ToValidUTF8(name, "") {
		switch letter := unicode.In(r, unicode.L, unicode.N); {
		case unicode.IsSpace(r):
			r = ' '
		case letters.Hidden(r):
			continue
		case unicode.Is(unicode.M, r):
			if marks++; marks > 2 || !some {
				continue
			}
		case letter:
			marks, some = 0, true
		case !some || !strings.ContainsRune(`-_.,'’&@/+#()`, r):
			continue
		}
		b.WriteRune(r)
	}
	runes := []rune(strings.Join(strings.Fields(b.String()), " "))
	return markup.Shorten(strings.TrimSpace(string(runes[:min(len(runes), nameRunes)])), nameWidth)
}

// actorName names an actor. A rule is never named as a person is.
func (r requestText) actorName(a question.Actor) markup.Text {
	if a.Kind == question.RuleActor {
		return markup.Phrase(r.w.Rule.Name, ruleName(a))
	}
	return personName(a)
}

// byRule says that a rule has decided, and which.
func (r requestText) byRule(a question.Actor) markup.Text {
	return markup.Phrase(r.w.Rule.By, ruleName(a))
}

func ruleName(a question.Actor) markup.Text {
	return markup.Plain(markup.Isolate(markup.Shorten(markup.OneLine(a.Name), 64)))
}
