package ui

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/telegram/callback"
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
		text := markup.Plain(s.sign() + " " + s.latestLine())
		if n.NoRight {
			text = markup.Join("\n", text, markup.Plain(w.Unsent.NoDriver))
		}
		return text
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
	case outbound.NotePaced:
		return markup.Plain("⏳ " + w.Intake.Paced)
	case outbound.NoteClaimed:
		return markup.Plain("🙋 " + claimedBy(n.Claim, w, now))
	}
	return markup.Plain("💤 " + w.Nothing)
}

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
	case outbound.AlertNotice:
		text = noticeText(a.Notice, a.Request, w)
	case outbound.AlertVoted:
		text = fmt.Sprintf(w.Team.AlertVoted, a.Votes, a.Needs)
	case outbound.AlertClaimed:
		text = claimedBy(a.Claim, w, now)
	case outbound.AlertNotHere:
		text = w.Intake.NotHere
	case outbound.AlertNotYours:
		text = w.Intake.NotYours
	case outbound.AlertPartly:
		text = w.Permission.TooLongAsk
	case outbound.AlertSent:
		text = w.Unsent.Already
	case outbound.AlertNoText:
		text = w.Unsent.NoText
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
	if markup.Units(s) <= limit {
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

// ReplyBox is the message that opens a reply box.
type ReplyBox struct {
	Text        markup.Text
	Placeholder string // in the box while it is empty
}

// RenderReplyBox says which question the box is for and, in a group, whose box it is: there Telegram opens it for those
// alone whom the text mentions (Bot API ForceReply.selective).
func RenderReplyBox(p outbound.BoxPost, w words.Table, now time.Time) ReplyBox {
	v := newFrame(p.View, w, now)
	say, holder := w.Reply, w.Holder
	if v.Request.Permission != nil {
		say, holder = w.Permission.Reply, w.Permission.Holder
	}
	header := v.name()
	if v.Request.Permission == nil && v.Wizard.Step < len(v.Request.Items) {
		header = v.itemName(v.Wizard.Step)
	}
	line := markup.Plain(say)
	if p.Chat < 0 { // a group
		name := personName(question.Actor{User: p.User.ID, Name: p.User.Name}).String()
		line = append(markup.Text{{Text: name, Mention: p.User.ID}, {Text: w.Colon}}, line...)
	}
	lines := []markup.Text{v.headline(callback.ReplyBoxSign, header), line}
	if p.Chat < 0 && p.Topic != 0 {
		lines = append(lines, markup.Plain(w.NoBoxOpens))
	}
	return ReplyBox{Text: markup.Join("\n", lines...), Placeholder: holder}
}
