package card

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf16"

	"hermes/internal/question"
	"hermes/telegram/words"
)

// maxAlert is how much text a callback query is answered with (Bot API
// answerCallbackQuery).
const maxAlert = 200

// Alert is the text of an acknowledgement, "" for none.
func Alert(a question.Alert, w words.Table, now time.Time) string {
	s := newSummary(question.View{Request: a.Request, Outcome: a.Outcome, Decision: a.By}, w, now)
	var text string
	switch a.Kind {
	case question.AlertNone:
	case question.AlertStale:
		text = w.Stale
	case question.AlertEnded:
		text = s.outcomeLine()
	case question.AlertDecided:
		text = s.decisionLine()
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
		text = noticeText(a.Notice, a.Request, w)
	case question.AlertVoted:
		text = fmt.Sprintf(w.Team.AlertVoted, a.Votes, a.Needs)
	case question.AlertClaimed:
		text = claimedBy(a.Claim, w, now)
	case question.AlertLate:
		text = s.lateAnswerLine(a.Late)
	case question.AlertNotHere:
		text = w.Intake.NotHere
	case question.AlertNotSaved:
		text = w.NotSaved
	}
	return cutToUnits(text, maxAlert)
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

// cutToUnits cuts text to a number of UTF-16 units, which are never fewer than the
// code points that Telegram counts.
func cutToUnits(s string, limit int) string {
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
