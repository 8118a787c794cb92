package card

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf16"

	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/telegram/words"
)

// maxAlert is how much text a callback query is answered with (Bot API
// answerCallbackQuery).
const maxAlert = 200

// Alert is the text of an acknowledgement, "" for none.
func Alert(a outbound.Alert, w words.Table, now time.Time) string {
	v := question.View{Request: a.Request, Outcome: a.Outcome, Decision: a.By}
	if a.Held {
		v.Phase = question.PhaseHeld
	}
	s := newSummary(v, w, now)
	var text string
	switch a.Kind {
	case outbound.AlertNone:
	case outbound.AlertStale:
		text = w.Stale
	case outbound.AlertEnded:
		text = s.outcomeLine()
	case outbound.AlertDecided:
		text = s.decisionLine()
	case outbound.AlertStranger:
		text = w.Stranger
	case outbound.AlertNoRole, outbound.AlertWrongRole:
		text = lacksRole(a.Kind == outbound.AlertNoRole, a.Roles, w)
	case outbound.AlertNotOwner, outbound.AlertOwnAgent:
		text = notTheirs(a.Kind == outbound.AlertOwnAgent, a.Owner, w)
	case outbound.AlertTaken:
		text = takenText(a.Owner.ID != 0, w)
	case outbound.AlertLetIn:
		text = fmt.Sprintf(w.Admission.LetInTakes, strings.Join(a.Roles, w.Comma))
	case outbound.AlertUnknown:
		text = w.NoSuch
	case outbound.AlertSetAside:
		text = w.SetAside
	case outbound.AlertNotice:
		text = noticeText(a.Notice, a.Request, w)
	case outbound.AlertVoted:
		text = fmt.Sprintf(w.Team.AlertVoted, a.Votes, a.Needs)
	case outbound.AlertClaimed:
		text = claimedBy(a.Claim, w, now)
	case outbound.AlertLate:
		text = s.lateAnswerLine(a.Late)
	case outbound.AlertNotHere:
		text = w.Intake.NotHere
	case outbound.AlertNotYours:
		text = w.Intake.NotYours
	case outbound.AlertNotSaved:
		text = w.NotSaved
	case outbound.AlertSent:
		text = w.Unsent.Already
	case outbound.AlertNoText:
		text = w.Unsent.NoText
	case outbound.AlertNotAsked:
		text = w.Intake.NotAsked
	case outbound.AlertNotTheirs:
		text = w.Unsent.NotTheirs
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
