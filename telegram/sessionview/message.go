package sessionview

import (
	"fmt"
	"strings"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/letters"
	"hermes/internal/remote"
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
func Render(t remote.Message, w words.Table, now time.Time) Message {
	v := view{t, heading{t.Session}, w, now}
	all := v.messages()
	if make, ok := all[t.Kind]; ok {
		return make()
	}
	return all[remote.TellFailed]()
}

// view is what a message says, in a language and at a time.
type view struct {
	remote.Message
	heading
	w   words.Table
	now time.Time
}

// messages has how a message of each kind is made.
func (v view) messages() map[remote.MessageKind]func() Message {
	r := v.w.Sessions
	return map[remote.MessageKind]func() Message{
		// Of a prompt.
		remote.TellTaken:   v.sentence("👍 " + r.Taken),
		remote.TellNoted:   v.sentence("👍 " + r.Noted),
		remote.TellQueued:  v.sentence("⏳ " + r.Queued),
		remote.TellBehind:  v.sentence("⏳ " + fmt.Sprintf(r.Behind, v.askNames())),
		remote.TellKept:    v.sentence("📡 " + r.Kept),
		remote.TellDeleted: v.sentence("⚠️ " + r.Deleted),
		remote.TellRefused: v.underHeadline("⚠️", v.withReason(v.refusalText())),
		remote.TellGivenUp: v.sentence("⚠️ " + r.GivenUp),
		remote.TellBefore:  v.sentence("⚠️ " + r.Before),

		// Of what is no text.
		remote.TellTooLarge: v.remark("⚠️", v.tooLargeText()),
		remote.TellFileGone: v.remark("⚠️", fmt.Sprintf(v.w.Files.Gone, v.fileName())),
		remote.TellFetching: v.sentence("📡 " + fmt.Sprintf(v.w.Files.Fetching, v.fileName())),
		remote.TellUnusable: v.remark("⚠️", v.unusableText()),
		remote.TellHeard:    v.transcript,
		remote.TellSaid:     v.saidAnswer,
		remote.TellUnsaid:   v.remark("✏️", v.w.Files.Unsaid),
		remote.TellSilent:   v.remark("⚠️", v.w.Files.Silent),
		remote.TellUnheard:  v.remark("⚠️", v.w.Files.Unheard),
		remote.TellDeaf:     v.remark("⚠️", v.w.Files.Deaf),
		remote.TellNoFile:   v.remark("⚠️", fmt.Sprintf(v.w.Files.NoFile, markup.Isolate(v.Text))),

		// Of a late answer.
		remote.TellLate:     v.lateOffer,
		remote.TellLateOver: func() Message { return textMessage(card.LateOver(v.Asks[0], v.w, v.now)) },
		remote.TellLateNone: v.remark("🚫", v.w.Late.None),
		remote.TellNoAnswer: v.remark("❗", v.w.Files.NoAnswer),

		// Of a session.
		remote.TellTurn:    func() Message { return v.turn().message() },
		remote.TellLast:    func() Message { return v.lastTurn().message() },
		remote.TellLive:    func() Message { return Message{Parts: []markup.Text{v.live().text()}} },
		remote.TellBegan:   v.underHeadline("▶️", r.Works),
		remote.TellNothing: v.underHeadline("⚠️", r.Nothing, letters.Clean(v.Text)),
		remote.TellRetried: v.underHeadline("🔁", r.Retried, letters.Clean(v.Text)),
		remote.TellUsing:   v.inUse,
		remote.TellNew:     v.underHeadline("🆕", r.Created),
		remote.TellDiff:    func() Message { return v.diff().message() },
		remote.TellChanges: func() Message { return v.diff().fileMessage(diffFileInline) },
		remote.TellTodo:    func() Message { return v.turn().todoList() },
		remote.TellStopAsk: v.askToStop,
		remote.TellStopped: v.sentence("⏹ " + r.Stopped),
		remote.TellWorks:   v.sentence("⚠️ " + r.StillWorks),
		remote.TellIdle:    v.sentence("💤 " + r.Idle),
		remote.TellGoesOn:  v.sentence("▶️ " + r.GoesOn),
		remote.TellTooLate: v.sentence("⌛ " + r.TooLate),
		remote.TellGone:    v.sentence("⚠️ " + r.Gone),

		// Of the chat.
		remote.TellSessions: func() Message { return sessionList{v.Listed, v.Page, v.Pages, v.w, v.now}.message() },
		remote.TellStatus:   v.status,
		remote.TellPending:  v.waitingAsks,
		remote.TellLevel:    func() Message { return v.settings().levelMessage() },
		remote.TellMute:     func() Message { return v.settings().muteMessage() },
		remote.TellFollow:   func() Message { return v.settings().followMessage() },
		remote.TellAgent:    func() Message { return v.settings().agentChoice(v.choices()) },
		remote.TellModel:    func() Message { return v.settings().modelChoice(v.choices()) },
		remote.TellPast:     v.remark("⌛", r.Past),
		remote.TellRun:      func() Message { return v.settings().commandChoice(v.choices()) },
		remote.TellUnlink:   v.askToUnlink,
		remote.TellUnlinked: v.ofMachine("🗑", v.w.Machines.Unlinked),
		remote.TellNoLink:   v.sentence("🗑 " + v.w.Machines.NoLink),
		remote.TellLinked:   v.ofMachine("🖥", v.w.Machines.Stays),
		remote.TellHelp:     v.help,
		remote.TellUnknown:  v.remark("❓", fmt.Sprintf(r.Unknown, markup.Isolate(v.Text))),
		remote.TellWhich:    v.sentence("👉 " + r.Which),
		remote.TellDraft:    v.draftOffer,
		remote.TellWhere:    func() Message { return folderList{v.Projects, v.w}.message() },
		remote.TellOffline:  v.sentence("📡 " + r.Offline),
		remote.TellFailed:   v.sentence("⚠️ " + v.withReason(r.Failed)),
		remote.TellNoRight:  v.remark("🔒", v.missingRole()),
		remote.TellDoubt:    v.askAnswerOrCommand,
		remote.TellNotSaved: v.sentence("❗ " + v.w.NotSavedYet),
		remote.TellNotAsked: v.remark("🔒", v.w.Intake.NotAsked),
		remote.TellNotYours: v.remark("🔒", v.w.Intake.NotYours),
		remote.TellNotHere:  v.remark("🔒", v.w.Intake.NotHere),
		remote.TellPaced:    v.remark("⏳", v.w.Intake.Paced),
		remote.TellForward:  v.remark("❗", v.w.Intake.Forwarded),
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
	if v.Reason == remote.ReasonSigns || v.Reason == remote.ReasonNoText {
		return v.w.Sessions.Unsent
	}
	return v.w.Sessions.Refused
}

// withReason adds what a person can do something about, as a sentence of its own.
func (v view) withReason(sentence string) string {
	if text := v.w.Sessions.Reasons[v.Reason]; text != "" {
		return sentence + markup.Gap(sentence) + text
	}
	return sentence
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
		{Label: "⏹ " + r.Stop, Order: inbound.Button{Kind: inbound.ButtonStop, Session: v.Session.ID, At: v.At}, Style: card.StyleDanger},
		{Label: r.Keep, Order: inbound.Button{Kind: inbound.ButtonKeep, Session: v.Session.ID}},
	}}
	return m
}

// askAnswerOrCommand asks whether a text is an answer or a command.
func (v view) askAnswerOrCommand() Message {
	r := v.w.Sessions
	m := v.remark("❓", fmt.Sprintf(r.Doubt, markup.Isolate(v.Text), v.askNames()))()
	m.Rows = [][]card.Button{{
		{Label: "✏️ " + r.AnAnswer, Order: inbound.Button{Kind: inbound.ButtonAnswer, Update: v.Update}},
		{Label: "▶️ " + r.ACommand, Order: inbound.Button{Kind: inbound.ButtonCommand, Update: v.Update}},
	}}
	return m
}

// lateOffer asks which answer is to go as a prompt. It is one message, for it changes with every step.
func (v view) lateOffer() Message {
	text, rows := card.LateOffer(v.Asks[0], v.Wizard, v.w, v.now)
	return Message{Parts: []markup.Text{text}, Rows: rows}
}

// draftOffer says how to write to a session, and offers some for a text that has none.
func (v view) draftOffer() Message {
	m := textMessage(markup.Plain("👉 " + v.w.Unsent.Which))
	list := sessionList{v.Listed, 0, 1, v.w, v.now}
	for _, s := range v.Listed {
		label := markup.Shorten(markup.OneLine(projectName(s.Session)+" · "+list.titleOf(s.Session)), card.LabelWidth)
		m.Rows = append(m.Rows, []card.Button{{Label: label, Order: inbound.Button{Kind: inbound.ButtonSend, Session: s.ID}}})
	}
	if len(m.Rows) > 0 {
		m.Parts = []markup.Text{markup.Plain("👉 " + v.w.Unsent.Which + "\n" + v.w.Unsent.OrTap)}
	}
	return m
}
