package ui

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/markup"
)

// endInShort says in a line how a question ended.
func (f frame) endInShort() string {
	if f.Outcome == nil {
		return f.w.NoSuch
	}
	if f.Request.Admission != nil {
		return admissionCard{f}.shortEnd()
	}
	o := *f.Outcome
	switch o.Kind {
	case question.OutcomeAnswered:
		return f.answeredLine(o.Answers, o.By, o.At)
	case question.OutcomeDismissed:
		if o.By.Kind == question.Deadline {
			return f.w.AlertExpired
		}
		return f.dismissedBy(o).String()
	}
	return strings.TrimRight(f.endedWithoutAnswer(o), ".。")
}

// decisionLine says in a line who has decided. Nothing proves yet that it arrived.
func (f frame) decisionLine() string {
	d := f.Decision
	switch {
	case d == nil:
		return f.w.NoSuch
	case f.Request.Admission != nil:
		return admissionCard{f}.shortEnd()
	case f.Phase == question.PhaseHeld:
		return markup.Phrase(f.w.Hold.NotYet, f.actorName(d.By)).String()
	case d.By.Kind == question.Deadline:
		return f.w.AlertExpired
	case d.Reject && f.Request.Permission != nil:
		return fmt.Sprintf(f.w.Permission.ChoseNo, f.actorName(d.By).String(), markup.TimeOfDay(d.At, f.now))
	case d.Reject:
		return fmt.Sprintf(f.w.AlertChoseNo, f.actorName(d.By).String(), markup.TimeOfDay(d.At, f.now))
	}
	return f.answeredBy(f.w.AlertChose, d.Answers, d.By, d.At)
}

func (f frame) answeredLine(answers question.Answers, by question.Actor, at time.Time) string {
	switch by.Kind {
	case question.OpenCode:
		return fmt.Sprintf(f.w.AlertThere, f.answersInBrief(answers), markup.TimeOfDay(at, f.now))
	case question.Deadline:
		return f.w.AlertExpired
	}
	return f.answeredBy(f.w.AlertAnswered, answers, by, at)
}

func (f frame) answeredBy(format string, answers question.Answers, by question.Actor, at time.Time) string {
	return fmt.Sprintf(format, f.answersInBrief(answers), f.actorName(by).String(), markup.TimeOfDay(at, f.now))
}

func (f frame) answersInBrief(answers question.Answers) string {
	return markup.Shorten(markup.OneLine(f.answersInline(answers).String()), 100)
}

// reminderLine names what still waits.
func (f frame) reminderLine() markup.Text {
	head := f.headline("⏰", f.name())
	return append(markup.Plain("⏰ "), markup.Phrase(f.w.Remind, head[1:])...)
}

// latestLine says in a line what became of the question.
func (f frame) latestLine() string {
	switch {
	case f.Phase == question.PhaseTaken:
		return takenText(f.Owned, f.w)
	case f.Outcome != nil:
		return f.endInShort()
	}
	return f.decisionLine()
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
