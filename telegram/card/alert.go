package card

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf16"

	"hermes/internal/question"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// maxAlert is how much text a callback query is answered with (Bot API
// answerCallbackQuery).
const maxAlert = 200

// Alert is the text of an acknowledgement, "" for none.
func Alert(a question.Alert, w words.Table, now time.Time) string {
	p := newPage(question.View{Request: a.Request, Outcome: a.Outcome, Decision: a.By}, w, now)
	var text string
	switch a.Kind {
	case question.AlertNone:
	case question.AlertStale:
		text = w.Stale
	case question.AlertEnded:
		text = p.endedShort()
	case question.AlertDecided:
		text = p.decidedShort()
	case question.AlertStranger:
		text = w.Stranger
	case question.AlertNoRole, question.AlertWrongRole:
		text = lacksRole(a.Kind == question.AlertNoRole, a.Roles, w)
	case question.AlertLetIn:
		text = fmt.Sprintf(w.Admission.LetInTakes, strings.Join(a.Roles, w.Comma))
	case question.AlertUnknown:
		text = w.NoSuch
	case question.AlertSetAside:
		text = w.SetAside
	case question.AlertNotice:
		text = notice(a.Notice, a.Request, w)
	case question.AlertVoted:
		text = fmt.Sprintf(w.Team.AlertVoted, a.Votes, a.Needs)
	case question.AlertClaimed:
		text = p.claimedBy(a.Claim)
	case question.AlertLate:
		text = p.lateShort(a.Late)
	case question.AlertNotHere:
		text = w.Intake.NotHere
	case question.AlertNotSaved:
		text = w.NotSaved
	}
	return fitted(text, maxAlert)
}

// lacksRole says why a person who is known may not answer. roles are those that may.
func lacksRole(none bool, roles []string, w words.Table) string {
	switch list := strings.Join(roles, w.Comma); {
	case list == "":
		return w.NoRole
	case none:
		return fmt.Sprintf(w.NoRoleOf, list)
	default:
		return fmt.Sprintf(w.WrongRole, list)
	}
}

// claimedBy says who is on it, and until when.
func (p page) claimedBy(c *question.Claim) string {
	if c == nil {
		return p.w.NoSuch
	}
	return fmt.Sprintf(p.w.Team.AlertClaimed, person(c.By).String(), markup.TimeOfDay(c.Until, p.now))
}

// endedShort says in a line how a question ended.
func (p page) endedShort() string {
	if p.Outcome == nil {
		return p.w.NoSuch
	}
	if p.Request.Admission != nil {
		return p.admissionShort()
	}
	o := *p.Outcome
	switch o.Kind {
	case question.OutcomeAnswered:
		return p.answeredShort(o.Answers, o.By, o.At)
	case question.OutcomeDismissed:
		if o.By.Kind == question.Deadline {
			return p.w.AlertExpired
		}
		return p.dismissedBy(o).String()
	}
	return strings.TrimRight(p.w.EndedWithoutAnswer(o.Kind), ".。")
}

// decidedShort says in a line who has decided. Nothing proves yet that it arrived.
func (p page) decidedShort() string {
	d := p.Decision
	switch {
	case d == nil:
		return p.w.NoSuch
	case p.Request.Admission != nil:
		return p.admissionShort()
	case d.By.Kind == question.Deadline:
		return p.w.AlertExpired
	case d.Reject && p.Request.Permission != nil:
		return fmt.Sprintf(p.w.Permission.ChoseNo, p.who(d.By).String(), markup.TimeOfDay(d.At, p.now))
	case d.Reject:
		return fmt.Sprintf(p.w.AlertChoseNo, p.who(d.By).String(), markup.TimeOfDay(d.At, p.now))
	}
	return p.answeredBy(p.w.AlertChose, d.Answers, d.By, d.At)
}

func (p page) answeredShort(answers question.Answers, by question.Actor, at time.Time) string {
	switch by.Kind {
	case question.OpenCode:
		return fmt.Sprintf(p.w.AlertThere, p.brief(answers), markup.TimeOfDay(at, p.now))
	case question.Deadline:
		return p.w.AlertExpired
	}
	return p.answeredBy(p.w.AlertAnswered, answers, by, at)
}

func (p page) answeredBy(format string, answers question.Answers, by question.Actor, at time.Time) string {
	return fmt.Sprintf(format, p.brief(answers), p.who(by).String(), markup.TimeOfDay(at, p.now))
}

func (p page) brief(answers question.Answers) string {
	return markup.Shorten(markup.OneLine(p.inline(answers).String()), 100)
}

// fitted cuts text to a number of UTF-16 units, which are never fewer than the
// code points that Telegram counts.
func fitted(s string, limit int) string {
	if len(utf16.Encode([]rune(s))) <= limit {
		return s
	}
	n := 0
	for i, r := range s {
		if n += utf16.RuneLen(r); n > limit-1 {
			return s[:i] + "…"
		}
	}
	return s
}
