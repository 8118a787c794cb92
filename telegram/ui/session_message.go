package ui

import (
	"fmt"
	"strings"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/letters"
	"hermes/internal/remote"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// textMessage is a message without buttons, in as many parts as it takes.
func textMessage(t markup.Text) Body { return Body{Parts: markup.Split(t)} }

// RenderSession makes the message. It is pure.
func RenderSession(t remote.Message, w words.Table, now time.Time) Body {
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
func (v view) messages() map[remote.MessageKind]func() Body {
	r := v.w.Sessions
	return map[remote.MessageKind]func() Body{
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

		remote.TellLate: v.lateOffer,

		// Of a session.
		remote.TellTurn:    func() Body { return v.turn().message() },
		remote.TellLast:    func() Body { return v.lastTurn().message() },
		remote.TellLive:    func() Body { return Body{Parts: []markup.Text{v.live().text()}} },
		remote.TellBegan:   v.underHeadline("▶️", r.Works),
		remote.TellNothing: v.underHeadline("⚠️", r.Nothing, letters.Clean(v.Text)),
		remote.TellRetried: v.underHeadline("🔁", r.Retried, letters.Clean(v.Text)),
		remote.TellUsing:   v.inUse,
		remote.TellNew:     v.underHeadline("🆕", r.Created),
		remote.TellDiff:    v.diff,
		remote.TellTodo:    func() Body { return v.turn().todoList() },
		remote.TellStopAsk: v.askToStop,
		remote.TellStopped: v.sentence("⏹ " + r.Stopped),
		remote.TellWorks:   v.sentence("⚠️ " + r.StillWorks),
		remote.TellIdle:    v.sentence("💤 " + r.Idle),
		remote.TellGoesOn:  v.sentence("▶️ " + r.GoesOn),
		remote.TellTooLate: v.sentence("⌛ " + r.TooLate),
		remote.TellGone:    v.sentence("⚠️ " + r.Gone),

		// Of the chat.
		remote.TellSessions: func() Body { return sessionList{v.Listed, v.Page, v.Pages, v.w, v.now}.message() },
		remote.TellStatus:   v.status,
		remote.TellPending:  v.waitingAsks,
		remote.TellLevel:    func() Body { return v.settings().levelMessage() },
		remote.TellMute:     func() Body { return v.settings().muteMessage() },
		remote.TellFollow:   func() Body { return v.settings().followMessage() },
		remote.TellAgent:    func() Body { return v.settings().agentChoice(v.choices()) },
		remote.TellModel:    func() Body { return v.settings().modelChoice(v.choices()) },
		remote.TellPast:     v.remark("⌛", r.Past),
		remote.TellRun:      func() Body { return v.settings().commandChoice(v.choices()) },
		remote.TellUnlink:   v.askToUnlink,
		remote.TellUnlinked: v.ofMachine("🗑", v.w.Machines.Unlinked),
		remote.TellNoLink:   v.sentence("🗑 " + v.w.Machines.NoLink),
		remote.TellLinked:   v.ofMachine("🖥", v.w.Machines.Stays),
		remote.TellHelp:     v.help,
		remote.TellUnknown:  v.remark("❓", fmt.Sprintf(r.Unknown, markup.Isolate(v.Text))),
		remote.TellWhich:    v.sentence("👉 " + r.Which),
		remote.TellDraft:    v.draftOffer,
		remote.TellWhere:    func() Body { return folderList{v.Projects, v.w}.message() },
		remote.TellOffline:  v.sentence("📡 " + r.Offline),
		remote.TellFailed:   v.sentence("⚠️ " + v.withReason(r.Failed)),
		remote.TellNoRight:  v.remark("🔒", v.missingRole()),
		remote.TellDoubt:    v.askAnswerOrCommand,
		remote.TellNotYours: v.remark("🔒", v.w.Intake.NotYours),
		remote.TellNotHere:  v.remark("🔒", v.w.Intake.NotHere),
		remote.TellPaced:    v.remark("⏳", v.w.Intake.Paced),
		remote.TellForward:  v.remark("❗", v.w.Intake.Forwarded),
	}
}

// sentence makes a message of a sentence that names the session at its end.
func (v view) sentence(text string) func() Body {
	return func() Body { return textMessage(markup.Join(" · ", markup.Plain(text), v.name())) }
}

// remark makes a message of a sign and a text that names no session.
func (v view) remark(sign, text string) func() Body {
	return func() Body { return textMessage(markup.Plain(sign + " " + text)) }
}

// underHeadline makes a message of lines, below one that names the session.
func (v view) underHeadline(sign string, lines ...string) func() Body {
	return func() Body {
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
		names = append(names, NameOf(t, v.w))
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
func (v view) inUse() Body {
	if v.Session.ID == "" {
		return textMessage(markup.Plain("👉 " + v.w.Sessions.UsingNone))
	}
	return v.underHeadline("👉", v.w.Sessions.Using)()
}

// askToStop asks whether the session shall be stopped.
func (v view) askToStop() Body {
	r := v.w.Sessions
	m := v.underHeadline("⏹", r.StopAsk)()
	m.Rows = [][]Button{{
		{Label: "⏹ " + r.Stop, Order: inbound.Button{Kind: inbound.ButtonStop, Session: v.Session.ID, At: v.At}, Style: StyleDanger},
		{Label: r.Keep, Order: inbound.Button{Kind: inbound.ButtonKeep, Session: v.Session.ID}},
	}}
	return m
}

// askAnswerOrCommand asks whether a text is an answer or a command.
func (v view) askAnswerOrCommand() Body {
	r := v.w.Sessions
	m := v.remark("❓", fmt.Sprintf(r.Doubt, markup.Isolate(v.Text), v.askNames()))()
	m.Rows = [][]Button{{
		{Label: "✏️ " + r.AnAnswer, Order: inbound.Button{Kind: inbound.ButtonAnswer, Update: v.Update}},
		{Label: "▶️ " + r.ACommand, Order: inbound.Button{Kind: inbound.ButtonCommand, Update: v.Update}},
	}}
	return m
}

// lateOffer offers to send an answer that came too late to the session that asked.
func (v view) lateOffer() Body {
	text, rows := LateOffer(v.Asks[0], v.Text, inbound.Button{Kind: inbound.ButtonSend, Session: v.Session.ID}, v.w, v.now)
	return Body{Parts: []markup.Text{text}, Rows: rows}
}

// draftOffer says how to write to a session, and offers some for a text that has none.
func (v view) draftOffer() Body {
	m := textMessage(markup.Plain("👉 " + v.w.Unsent.Which))
	list := sessionList{v.Listed, 0, 1, v.w, v.now}
	for _, s := range v.Listed {
		label := markup.Shorten(markup.OneLine(projectName(s.Session)+" · "+list.titleOf(s.Session)), LabelWidth)
		m.Rows = append(m.Rows, []Button{{Label: label, Order: inbound.Button{Kind: inbound.ButtonSend, Session: s.ID}}})
	}
	if len(m.Rows) > 0 {
		m.Parts = []markup.Text{markup.Plain("👉 " + v.w.Unsent.Which + "\n" + v.w.Unsent.OrTap)}
	}
	return m
}
