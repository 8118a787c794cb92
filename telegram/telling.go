package telegram

import (
	"fmt"
	"strings"
	"time"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/words"
)

// teller renders one message about sessions.
type teller struct {
	question.Telling
	w   words.Table
	now time.Time
}

// tellingOf makes the message. It is pure.
func tellingOf(t question.Telling, w words.Table, now time.Time) told {
	p := teller{t, w, now}
	switch t.Kind {
	case question.TellTurn, question.TellLast:
		return p.turn()
	case question.TellDiff:
		return p.diff()
	case question.TellLive:
		return told{parts: []rich{p.live()}}
	case question.TellSessions:
		return p.sessions()
	case question.TellWhere:
		return p.whereTo()
	case question.TellStopAsk:
		return p.stopAsk()
	case question.TellDoubt:
		return p.doubt()
	case question.TellLate:
		return p.offer()
	case question.TellHeard:
		return p.heard()
	}
	return told{parts: split(p.text())}
}

// text is the message of the kinds that are text alone.
func (p teller) text() rich {
	r := p.w.Sessions
	switch p.Kind {
	case question.TellTodo:
		return join("\n", p.headline("📋"), p.todos())
	case question.TellStatus:
		return p.status()
	case question.TellPending:
		return p.pending()
	case question.TellUsing:
		if p.Session.ID == "" {
			return plain("👉 " + r.UsingNone)
		}
		return join("\n", p.headline("👉"), plain(r.Using))
	case question.TellNew:
		return join("\n", p.headline("🆕"), plain(r.Created))
	case question.TellBegan:
		return join("\n", p.headline("▶️"), plain(r.Works+p.w.Stop))
	case question.TellNothing:
		return join("\n", p.headline("⚠️"), plain(r.Nothing), plain(letters.Clean(p.Text)))
	case question.TellRetried:
		return join("\n", p.headline("🔁"), plain(r.Retried), plain(letters.Clean(p.Text)))
	case question.TellRefused:
		return join("\n", p.headline("⚠️"), plain(p.whoRefused()+p.why()))
	case question.TellLevel, question.TellMute:
		return p.settled()
	case question.TellFollow:
		return p.following()
	case question.TellAgent, question.TellModel, question.TellRun:
		return p.choice()
	case question.TellHelp:
		return plain(r.Help)
	case question.TellUnknown:
		return plain("❓ " + fmt.Sprintf(r.Unknown, apart(p.Text)))
	case question.TellTooLarge, question.TellFileGone, question.TellFetching, question.TellUnusable, question.TellNoFile,
		question.TellSilent, question.TellUnheard, question.TellDeaf:
		return p.ofFiles()
	case question.TellNoRight:
		return plain("🔒 " + p.barred())
	case question.TellNotHere:
		return plain("🔒 " + p.w.Intake.NotHere)
	case question.TellForward:
		return plain("❗ " + p.w.Intake.Forwarded)
	case question.TellPaced:
		return plain("⏳ " + p.w.Intake.Paced)
	case question.TellLateOver:
		return p.lateOver()
	case question.TellLateNone:
		return plain("🚫 " + p.w.Late.None)
	case question.TellNoAnswer:
		return plain("❗ " + p.w.Files.NoAnswer)
	}
	return join(" · ", plain(p.line()), p.where())
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
func (p teller) headline(sign string) rich {
	line := rich{{text: sign + " "}, {text: apart(shorten(project(p.Session), 100)), bold: true}}
	if p.Session.Title != "" {
		line = append(line, span{text: " · " + apart(shorten(oneLine(p.Session.Title), 200))})
	}
	return line
}

// where names the session at the end of a sentence, as far as it is known.
func (p teller) where() rich {
	var parts []string
	for _, name := range []string{project(p.Session), oneLine(p.Session.Title)} {
		if name != "" {
			parts = append(parts, apart(shorten(name, 200)))
		}
	}
	return plain(strings.Join(parts, " · "))
}

func project(s question.Session) string {
	return oneLine(question.Origin{Directory: s.Directory}.Project())
}

// headers names the asks that are in the way.
func (p teller) headers() string {
	var names []string
	for _, t := range p.Asks {
		names = append(names, p.header(t))
	}
	return strings.Join(names, p.w.Comma)
}

// header is what an ask is called in one line.
func (p teller) header(t question.Thread) string {
	v := newPage(question.View{Request: t.Request, Project: t.Project}, p.w, p.now)
	if t.Request.Permission != nil {
		return apart(shorten(v.headers(), 200))
	}
	return apart(shorten(v.header(t.Wizard.Step), 200))
}

// why is the reason that a person can do something about, as a sentence of its own.
// whoRefused says that a prompt was not sent, and if it was OpenCode that did not take it.
func (p teller) whoRefused() string {
	if p.Reason == question.ReasonSigns || p.Reason == question.ReasonNoText {
		return p.w.Sessions.Unsent
	}
	return p.w.Sessions.Refused
}

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
		names = append(names, apart(role))
	}
	return fmt.Sprintf(p.w.Sessions.NoRightOf, strings.Join(names, p.w.Comma))
}

// stopAsk asks once.
func (p teller) stopAsk() told {
	r := p.w.Sessions
	return told{
		parts: split(join("\n", p.headline("⏹"), plain(r.StopAsk))),
		rows: [][]orderButton{{
			{"⏹ " + r.Stop, question.Order{Kind: question.OrderStop, Session: p.Session.ID, At: p.At}, styleDanger},
			{r.Keep, question.Order{Kind: question.OrderKeep, Session: p.Session.ID}, ""},
		}},
	}
}

// doubt asks whether a text is an answer or a command.
func (p teller) doubt() told {
	r := p.w.Sessions
	ask := fmt.Sprintf(r.Doubt, apart(p.Text), p.headers())
	return told{
		parts: split(plain("❓ " + ask)),
		rows: [][]orderButton{{
			{"✏️ " + r.AnAnswer, question.Order{Kind: question.OrderAnswer, Update: p.Update}, ""},
			{"▶️ " + r.ACommand, question.Order{Kind: question.OrderCommand, Update: p.Update}, ""},
		}},
	}
}
