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

	WithoutFile []markup.Text // with file: the parts where the chat takes none, which say what is missing
}

// teller renders one message about sessions.
type teller struct {
	question.Telling
	w   words.Table
	now time.Time
}

// Render makes the message. It is pure.
func Render(t question.Telling, w words.Table, now time.Time) Message {
	p := teller{t, w, now}
	switch t.Kind {
	case question.TellTurn, question.TellLast:
		return p.turn()
	case question.TellDiff:
		return p.diff()
	case question.TellLive:
		return Message{Parts: []markup.Text{p.live()}}
	case question.TellSessions:
		return p.sessions()
	case question.TellWhere:
		return p.whereTo()
	case question.TellStopAsk:
		return p.stopAsk()
	case question.TellDoubt:
		return p.doubt()
	case question.TellLate:
		text, rows := card.LateOffer(p.Asks[0], p.Wizard, p.w, p.now)
		return Message{Parts: []markup.Text{text}, Rows: rows}
	case question.TellHeard:
		return p.heard()
	}
	return Message{Parts: markup.Split(p.text())}
}

// text is the message of the kinds that are text alone.
func (p teller) text() markup.Text {
	r := p.w.Sessions
	switch p.Kind {
	case question.TellTodo:
		return markup.Join("\n", p.headline("📋"), p.todos())
	case question.TellStatus:
		return p.status()
	case question.TellPending:
		return p.pending()
	case question.TellUsing:
		if p.Session.ID == "" {
			return markup.Plain("👉 " + r.UsingNone)
		}
		return markup.Join("\n", p.headline("👉"), markup.Plain(r.Using))
	case question.TellNew:
		return markup.Join("\n", p.headline("🆕"), markup.Plain(r.Created))
	case question.TellBegan:
		return markup.Join("\n", p.headline("▶️"), markup.Plain(r.Works+p.w.Stop))
	case question.TellNothing:
		return markup.Join("\n", p.headline("⚠️"), markup.Plain(r.Nothing), markup.Plain(letters.Clean(p.Text)))
	case question.TellRetried:
		return markup.Join("\n", p.headline("🔁"), markup.Plain(r.Retried), markup.Plain(letters.Clean(p.Text)))
	case question.TellRefused:
		return markup.Join("\n", p.headline("⚠️"), markup.Plain(p.whoRefused()+p.why()))
	case question.TellLevel, question.TellMute:
		return p.settled()
	case question.TellFollow:
		return p.following()
	case question.TellAgent, question.TellModel, question.TellRun:
		return p.choice()
	case question.TellHelp:
		return markup.Plain(r.Help)
	case question.TellUnknown:
		return markup.Plain("❓ " + fmt.Sprintf(r.Unknown, markup.Isolate(p.Text)))
	case question.TellTooLarge, question.TellFileGone, question.TellFetching, question.TellUnusable, question.TellNoFile,
		question.TellSilent, question.TellUnheard, question.TellDeaf:
		return p.ofFiles()
	case question.TellNoRight:
		return markup.Plain("🔒 " + p.barred())
	case question.TellNotHere:
		return markup.Plain("🔒 " + p.w.Intake.NotHere)
	case question.TellForward:
		return markup.Plain("❗ " + p.w.Intake.Forwarded)
	case question.TellPaced:
		return markup.Plain("⏳ " + p.w.Intake.Paced)
	case question.TellLateOver:
		return card.LateOver(p.Asks[0], p.w, p.now)
	case question.TellLateNone:
		return markup.Plain("🚫 " + p.w.Late.None)
	case question.TellNoAnswer:
		return markup.Plain("❗ " + p.w.Files.NoAnswer)
	}
	return markup.Join(" · ", markup.Plain(p.line()), p.where())
}

// line is the sentence of the kinds that are one.
func (p teller) line() string {
	r := p.w.Sessions
	switch p.Kind {
	case question.TellTaken:
		return "👍 " + r.Taken
	case question.TellNoted:
		return "👍 " + r.Noted
	case question.TellQueued:
		return "⏳ " + r.Queued
	case question.TellBehind:
		return "⏳ " + fmt.Sprintf(r.Behind, p.headers())
	case question.TellKept:
		return "📡 " + r.Kept
	case question.TellDeleted:
		return "⚠️ " + r.Deleted
	case question.TellGivenUp:
		return "⚠️ " + r.GivenUp
	case question.TellStopped:
		return "⏹ " + r.Stopped
	case question.TellWorks:
		return "⚠️ " + r.StillWorks
	case question.TellIdle:
		return "💤 " + r.Idle
	case question.TellGoesOn:
		return "▶️ " + r.GoesOn
	case question.TellTooLate:
		return "⌛ " + r.TooLate
	case question.TellGone:
		return "⚠️ " + r.Gone
	case question.TellWhich:
		return "👉 " + r.Which
	case question.TellOffline:
		return "📡 " + r.Offline
	case question.TellNotSaved:
		return "❗ " + p.w.NotSavedYet
	}
	return "⚠️ " + r.Failed + p.why()
}

// headline is the first line: a sign, the project, and the session's title.
func (p teller) headline(sign string) markup.Text {
	line := markup.Text{{Text: sign + " "}, {Text: markup.Isolate(markup.Shorten(project(p.Session), 100)), Bold: true}}
	if p.Session.Title != "" {
		line = append(line, markup.Span{Text: " · " + markup.Isolate(markup.Shorten(markup.OneLine(p.Session.Title), 200))})
	}
	return line
}

// where names the session at the end of a sentence, as far as it is known.
func (p teller) where() markup.Text {
	var parts []string
	for _, name := range []string{project(p.Session), markup.OneLine(p.Session.Title)} {
		if name != "" {
			parts = append(parts, markup.Isolate(markup.Shorten(name, 200)))
		}
	}
	return markup.Plain(strings.Join(parts, " · "))
}

func project(s question.Session) string {
	return markup.OneLine(question.Origin{Directory: s.Directory}.Project())
}

// headers names the asks that are in the way.
func (p teller) headers() string {
	var names []string
	for _, t := range p.Asks {
		names = append(names, card.NameOf(t, p.w))
	}
	return strings.Join(names, p.w.Comma)
}

// whoRefused says that a prompt was not sent, and if it was OpenCode that did not take it.
func (p teller) whoRefused() string {
	if p.Reason == question.ReasonSigns || p.Reason == question.ReasonNoText {
		return p.w.Sessions.Unsent
	}
	return p.w.Sessions.Refused
}

// why is the reason that a person can do something about, as a sentence of its own.
func (p teller) why() string {
	if text := p.w.Sessions.Reasons[p.Reason]; text != "" {
		return " " + text
	}
	return ""
}

func (p teller) barred() string {
	if len(p.Roles) == 0 {
		return p.w.Sessions.NoRight
	}
	var names []string
	for _, role := range p.Roles {
		names = append(names, markup.Isolate(role))
	}
	return fmt.Sprintf(p.w.Sessions.NoRightOf, strings.Join(names, p.w.Comma))
}

// stopAsk asks once.
func (p teller) stopAsk() Message {
	r := p.w.Sessions
	return Message{
		Parts: markup.Split(markup.Join("\n", p.headline("⏹"), markup.Plain(r.StopAsk))),
		Rows: [][]card.Button{{
			{Label: "⏹ " + r.Stop, Order: question.Order{Kind: question.OrderStop, Session: p.Session.ID, At: p.At}, Style: card.StyleDanger},
			{Label: r.Keep, Order: question.Order{Kind: question.OrderKeep, Session: p.Session.ID}},
		}},
	}
}

// doubt asks whether a text is an answer or a command.
func (p teller) doubt() Message {
	r := p.w.Sessions
	ask := fmt.Sprintf(r.Doubt, markup.Isolate(p.Text), p.headers())
	return Message{
		Parts: markup.Split(markup.Plain("❓ " + ask)),
		Rows: [][]card.Button{{
			{Label: "✏️ " + r.AnAnswer, Order: question.Order{Kind: question.OrderAnswer, Update: p.Update}},
			{Label: "▶️ " + r.ACommand, Order: question.Order{Kind: question.OrderCommand, Update: p.Update}},
		}},
	}
}
