package card

import (
	"fmt"
	"strconv"
	"time"

	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// Note is the text of a note.
func Note(n outbound.Note, w words.Table, now time.Time) markup.Text {
	s := newSummary(n.View, w, now)
	switch n.Kind {
	case outbound.NoteRemind:
		return markup.Join("\n", s.reminderLine(), s.foot())
	case outbound.NoteAskAgain:
		return markup.Plain("❗ " + noticeText(n.Notice, n.View.Request, w))
	case outbound.NoteEnded:
		if s.Request.Admission != nil {
			return markup.Plain("🚪 " + s.latestLine())
		}
		return markup.Join("\n", markup.Plain(s.sign()+" "+s.latestLine()), unsentLine(n.Unsent, w))
	case outbound.NoteWhich:
		return markup.Plain("❓ " + w.Which)
	case outbound.NoteGreeting:
		return markup.Plain("👋 " + fmt.Sprintf(w.Greeting, personName(question.Actor{Name: n.User.Name, User: n.User.ID}).String()))
	case outbound.NoteElsewhere:
		return markup.Plain("👋 " + fmt.Sprintf(w.Elsewhere, personName(question.Actor{Name: n.User.Name, User: n.User.ID}).String()))
	case outbound.NoteStranger:
		return markup.Plain("🔒 " + fmt.Sprintf(w.StrangerHi, strconv.FormatInt(int64(n.User.ID), 10), strconv.FormatInt(int64(n.Chat), 10)))
	case outbound.NoteNoRole, outbound.NoteWrongRole:
		return markup.Plain("🔒 " + lacksRole(n.Kind == outbound.NoteNoRole, n.Roles, w))
	case outbound.NoteNotOwner, outbound.NoteOwnAgent:
		return markup.Plain("🔒 " + notTheirs(n.Kind == outbound.NoteOwnAgent, n.Owner, w))
	case outbound.NoteTaken:
		return markup.Plain("🔒 " + takenText(n.Owner.ID != 0, w))
	case outbound.NoteUnsigned:
		return markup.Plain("🔒 " + w.Team.Unsigned)
	case outbound.NoteNoFile:
		return markup.Plain("❗ " + w.Files.NoAnswer)
	case outbound.NoteMovedOn:
		return markup.Plain("❗ " + w.MovedOn)
	case outbound.NoteNoBox:
		return markup.Plain("❗ " + w.NoBox)
	case outbound.NoteForwarded:
		return markup.Plain("❗ " + w.Intake.Forwarded)
	case outbound.NoteLinkCode, outbound.NoteLinkOther, outbound.NoteLinkNoURL, outbound.NoteLinked:
		return machineNote(n, w)
	case outbound.NoteLapse:
		return lapseNote(n.Lapse, w)
	case outbound.NotePaced:
		return markup.Plain("⏳ " + w.Intake.Paced)
	case outbound.NoteClaimed:
		return markup.Plain("🙋 " + claimedBy(n.Claim, w, now))
	case outbound.NoteSetAside:
		return markup.Plain("❗ " + w.SetAside)
	case outbound.NoteNotSaved:
		return markup.Plain("❗ " + w.NotSavedYet)
	}
	return markup.Plain("💤 " + w.Nothing)
}

// unsentLine says why a text did not go to the session.
func unsentLine(why outbound.Unsent, w words.Table) markup.Text {
	switch why {
	case outbound.UnsentTooSoon:
		return markup.Plain(w.Unsent.TooSoon)
	case outbound.UnsentNoDriver:
		return markup.Plain(w.Unsent.NoDriver)
	}
	return nil
}
