package sessionview

import (
	"fmt"
	"strings"
	"time"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/card"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// Message is a message about sessions, ready to be sent.
type Message struct {
	File     string        // for a document before the parts; empty: none
	FileName string        // of the file
	Parts    []markup.Text // at least one; the last has the buttons
	Rows     [][]card.Button

	WithoutFile []markup.Text // with File: the parts where the chat takes none, which say what is missing
}

// textMessage is a message without buttons, in as many parts as it takes.
func textMessage(t markup.Text) Message { return Message{Parts: markup.Split(t)} }

// Render makes the message. It is pure.
func Render(t question.Telling, w words.Table, now time.Time) Message {
	v := view{t, heading{t.Session}, w, now}
	all := v.messages()
	if make, ok := all[t.Kind]; ok {
		return make()
	}
	return all[question.TellFailed]()
}

// view is what a message says, in a language and at a time.
type view struct {
	question.Telling
	heading
	w   words.Table
	now time.Time
}

// messages has how a message of each kind is made.
func (v view) messages() map[question.TellingKind]func() Message {
	r := v.w.Sessions
	return map[question.TellingKind]func() Message{
		// Of a prompt.
		question.TellTaken:   v.sentence("👍 " + r.Taken),
		question.TellNoted:   v.sentence("👍 " + r.Noted),
		question.TellQueued:  v.sentence("⏳ " + r.Queued),
		question.TellBehind:  v.sentence("⏳ " + fmt.Sprintf(r.Behind, v.askNames())),
		question.TellKept:    v.sentence("📡 " + r.Kept),
		question.TellDeleted: v.sentence("⚠️ " + r.Deleted),
		question.TellRefused: v.underHeadline("⚠️", v.refusalText()+v.reasonText()),
		question.TellGivenUp: v.sentence("⚠️ " + r.GivenUp),

		// Of what is no text.
		question.TellTooLarge: v.remark("⚠️", v.tooLargeText()),
		question.TellFileGone: v.remark("⚠️", fmt.Sprintf(v.w.Files.Gone, v.fileName())),
		question.TellFetching: v.sentence("📡 " + fmt.Sprintf(v.w.Files.Fetching, v.fileName())),
		question.TellUnusable: v.remark("⚠️", v.unusableText()),
		question.TellHeard:    v.transcript,
		question.TellSilent:   v.remark("⚠️", v.w.Files.Silent),
		question.TellUnheard:  v.remark("⚠️", v.w.Files.Unheard),
		question.TellDeaf:     v.remark("⚠️", v.w.Files.Deaf),
		question.TellNoFile:   v.remark("⚠️", fmt.Sprintf(v.w.Files.NoFile, markup.Isolate(v.Text))),

		// Of a late answer.
		question.TellLate:     v.lateOffer,
		question.TellLateOver: func() Message { return textMessage(card.LateOver(v.Asks[0], v.w, v.now)) },
		question.TellLateNone: v.remark("🚫", v.w.Late.None),
		question.TellNoAnswer: v.remark("❗", v.w.Files.NoAnswer),

		// Of a session.
		question.TellTurn:    func() Message { return v.turn().message() },
		question.TellLast:    func() Message { return v.lastTurn().message() },
		question.TellLive:    func() Message { return Message{Parts: []markup.Text{v.live().text()}} },
		question.TellBegan:   v.underHeadline("▶️", r.Works+v.w.Stop),
		question.TellNothing: v.underHeadline("⚠️", r.Nothing, letters.Clean(v.Text)),
		question.TellRetried: v.underHeadline("🔁", r.Retried, letters.Clean(v.Text)),
		question.TellUsing:   v.inUse,
		question.TellNew:     v.underHeadline("🆕", r.Created),
		question.TellDiff:    v.diff,
		question.TellTodo:    func() Message { return v.turn().todoList() },
		question.TellStopAsk: v.askToStop,
		question.TellStopped: v.sentence("⏹ " + r.Stopped),
		question.TellWorks:   v.sentence("⚠️ " + r.StillWorks),
		question.TellIdle:    v.sentence("💤 " + r.Idle),
		question.TellGoesOn:  v.sentence("▶️ " + r.GoesOn),
		question.TellTooLate: v.sentence("⌛ " + r.TooLate),
		question.TellGone:    v.sentence("⚠️ " + r.Gone),

		// Of the chat.
		question.TellSessions: func() Message { return sessionList{v.Listed, v.Page, v.Pages, v.w, v.now}.message() },
		question.TellStatus:   v.status,
		question.TellPending:  v.waitingAsks,
		question.TellLevel:    func() Message { return v.settings().levelMessage() },
		question.TellMute:     func() Message { return v.settings().muteMessage() },
		question.TellFollow:   func() Message { return v.settings().followMessage() },
		question.TellAgent:    func() Message { return v.settings().agentChoice(v.choices()) },
		question.TellModel:    func() Message { return v.settings().modelChoice(v.choices()) },
		question.TellRun:      func() Message { return v.settings().commandChoice(v.choices()) },
		question.TellHelp:     func() Message { return textMessage(markup.Plain(r.Help)) },
		question.TellUnknown:  v.remark("❓", fmt.Sprintf(r.Unknown, markup.Isolate(v.Text))),
		question.TellWhich:    v.sentence("👉 " + r.Which),
		question.TellWhere:    func() Message { return folderList{v.Projects, v.w}.message() },
		question.TellOffline:  v.sentence("📡 " + r.Offline),
		question.TellFailed:   v.sentence("⚠️ " + r.Failed + v.reasonText()),
		question.TellNoRight:  v.remark("🔒", v.missingRole()),
		question.TellDoubt:    v.askAnswerOrCommand,
		question.TellNotSaved: v.sentence("❗ " + v.w.NotSavedYet),
		question.TellNotHere:  v.remark("🔒", v.w.Intake.NotHere),
		question.TellPaced:    v.remark("⏳", v.w.Intake.Paced),
		question.TellForward:  v.remark("❗", v.w.Intake.Forwarded),
	}
}

// sentence makes a message of a sentence that names the session at its end.
func (v view) sentence(text string) func() Message {
	return func() Message { return textMessage(markup.Join(" · ", markup.Plain(text), v.name())) }
}

// remark makes a message of a sign and a text that names no session.
func (v view) remark(sign, text string) func() Message {
	return func() Message { return textMessage(markup.Plain(sign + " " + text)) }
}

// underHeadline makes a message of lines, below one that names the session.
func (v view) underHeadline(sign string, lines ...string) func() Message {
	return func() Message {
		all := []markup.Text{v.headline(sign)}
		for _, line := range lines {
			all = append(all, markup.Plain(line))
		}
		return textMessage(markup.Join("\n", all...))
	}
}

// askNames names the asks that are in the way.
func (v view) askNames() string {
	var names []string
	for _, t := range v.Asks {
		names = append(names, card.NameOf(t, v.w))
	}
	return strings.Join(names, v.w.Comma)
}

// refusalText says that a prompt was not sent, and if it was OpenCode that did not take it.
func (v view) refusalText() string {
	if v.Reason == question.ReasonSigns || v.Reason == question.ReasonNoText {
		return v.w.Sessions.Unsent
	}
	return v.w.Sessions.Refused
}

// reasonText is what a person can do something about, as a sentence of its own.
func (v view) reasonText() string {
	if text := v.w.Sessions.Reasons[v.Reason]; text != "" {
		return " " + text
	}
	return ""
}

// missingRole says who may do it.
func (v view) missingRole() string {
	if len(v.Roles) == 0 {
		return v.w.Sessions.NoRight
	}
	var names []string
	for _, role := range v.Roles {
		names = append(names, markup.Isolate(role))
	}
	return fmt.Sprintf(v.w.Sessions.NoRightOf, strings.Join(names, v.w.Comma))
}

// inUse says where texts in the chat go.
func (v view) inUse() Message {
	if v.Session.ID == "" {
		return textMessage(markup.Plain("👉 " + v.w.Sessions.UsingNone))
	}
	return v.underHeadline("👉", v.w.Sessions.Using)()
}

// askToStop asks whether the session shall be stopped.
func (v view) askToStop() Message {
	r := v.w.Sessions
	m := v.underHeadline("⏹", r.StopAsk)()
	m.Rows = [][]card.Button{{
		{Label: "⏹ " + r.Stop, Order: question.Order{Kind: question.OrderStop, Session: v.Session.ID, At: v.At}, Style: card.StyleDanger},
		{Label: r.Keep, Order: question.Order{Kind: question.OrderKeep, Session: v.Session.ID}},
	}}
	return m
}

// askAnswerOrCommand asks whether a text is an answer or a command.
func (v view) askAnswerOrCommand() Message {
	r := v.w.Sessions
	m := v.remark("❓", fmt.Sprintf(r.Doubt, markup.Isolate(v.Text), v.askNames()))()
	m.Rows = [][]card.Button{{
		{Label: "✏️ " + r.AnAnswer, Order: question.Order{Kind: question.OrderAnswer, Update: v.Update}},
		{Label: "▶️ " + r.ACommand, Order: question.Order{Kind: question.OrderCommand, Update: v.Update}},
	}}
	return m
}

// lateOffer asks which answer is to go as a prompt. It is one message, for it changes with every step.
func (v view) lateOffer() Message {
	text, rows := card.LateOffer(v.Asks[0], v.Wizard, v.w, v.now)
	return Message{Parts: []markup.Text{text}, Rows: rows}
}
