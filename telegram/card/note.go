package card

import (
	"fmt"
	"strconv"
	"time"

	"hermes/internal/question"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// Note is the text of a note.
func Note(n question.Note, w words.Table, now time.Time) markup.Text {
	s := newSummary(n.View, w, now)
	switch n.Kind {
	case question.NoteRemind:
		return markup.Join("\n", s.reminderLine(), s.foot())
	case question.NoteAskAgain:
		return markup.Plain("❗ " + noticeText(n.Notice, n.View.Request, w))
	case question.NoteEnded:
		if s.Request.Admission != nil {
			return markup.Plain("🚪 " + s.latestLine())
		}
		return markup.Plain(s.sign() + " " + s.latestLine())
	case question.NoteWhich:
		return markup.Plain("❓ " + w.Which)
	case question.NoteGreeting:
		return markup.Plain("👋 " + fmt.Sprintf(w.Greeting, personName(question.Actor{Name: n.User.Name, User: n.User.ID}).String()))
	case question.NoteElsewhere:
		return markup.Plain("👋 " + fmt.Sprintf(w.Elsewhere, personName(question.Actor{Name: n.User.Name, User: n.User.ID}).String()))
	case question.NoteStranger:
		return markup.Plain("🔒 " + fmt.Sprintf(w.StrangerHi, strconv.FormatInt(int64(n.User.ID), 10), strconv.FormatInt(int64(n.Chat), 10)))
	case question.NoteNoRole, question.NoteWrongRole:
		return markup.Plain("🔒 " + lacksRole(n.Kind == question.NoteNoRole, n.Roles, w))
	case question.NoteUnsigned:
		return markup.Plain("🔒 " + w.Team.Unsigned)
	case question.NoteNoFile:
		return markup.Plain("❗ " + w.Files.NoAnswer)
	case question.NoteMovedOn:
		return markup.Plain("❗ " + w.MovedOn)
	case question.NoteNoBox:
		return markup.Plain("❗ " + w.NoBox)
	case question.NoteForwarded:
		return markup.Plain("❗ " + w.Intake.Forwarded)
	case question.NotePaced:
		return markup.Plain("⏳ " + w.Intake.Paced)
	case question.NoteClaimed:
		return markup.Plain("🙋 " + claimedBy(n.Claim, w, now))
	case question.NoteSetAside:
		return markup.Plain("❗ " + w.SetAside)
	case question.NoteNotSaved:
		return markup.Plain("❗ " + w.NotSavedYet)
	}
	return markup.Plain("💤 " + w.Nothing)
}
