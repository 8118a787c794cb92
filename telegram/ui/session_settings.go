package ui

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"hermes/internal/inbound"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// settingsView is a chat's settings: what is sent to it, and how its session works.
type settingsView struct {
	heading
	seat  remote.ChatSettings
	last  session.Turn  // of the session
	moved bool          // the chat uses the session from now on
	after time.Duration // how long a turn must run for remote.LevelTurns
	w     words.Table
	now   time.Time
}

func (v view) settings() settingsView {
	return settingsView{v.heading, v.Settings, v.Turn, v.Using, v.After, v.w, v.now}
}

// levelMessage says how much is sent to the chat.
func (v settingsView) levelMessage() Body {
	m := textMessage(markup.Join("\n", v.levelLine(), markup.Plain(v.w.Sessions.HowLevel)))
	for _, level := range []remote.Level{remote.LevelQuestions, remote.LevelTurns, remote.LevelAll} {
		label := v.w.Sessions.LevelNames[level]
		if level == v.seat.Level.Chosen() {
			label = "✓ " + label
		}
		m.Rows = append(m.Rows, []Button{{Label: label, Order: inbound.Button{Kind: inbound.ButtonLevel, Level: string(level)}}})
	}
	return m
}

// muteMessage tells whether the ends of turns are muted.
func (v settingsView) muteMessage() Body {
	line := v.muteLine()
	if line.Empty() {
		line = markup.Plain("🔔 " + v.w.Sessions.NotMuted)
	}
	return textMessage(markup.Join("\n", line, markup.Plain(v.w.Sessions.HowMute)))
}

func (v settingsView) levelLine() markup.Text {
	level := v.seat.Level.Chosen()
	text := v.w.Sessions.Levels[level]
	if level == remote.LevelTurns && v.after > 0 {
		text = fmt.Sprintf(v.w.Sessions.LongTurns, v.w.Duration(v.after))
	}
	return markup.Plain("🔔 " + text)
}

// muteLine is empty where nothing is muted.
func (v settingsView) muteLine() markup.Text {
	if !v.seat.Muted.After(v.now) {
		return nil
	}
	return markup.Phrase("🔕 "+v.w.Sessions.Muted, markup.Clock(v.seat.Muted, v.now))
}

// followMessage tells whether the chat follows the session that it uses.
func (v settingsView) followMessage() Body {
	text := v.w.Sessions.Live.Off
	if v.seat.Follow {
		text = v.w.Sessions.Live.On
	}
	if v.session.ID == "" {
		return textMessage(markup.Plain("👀 " + text))
	}
	return textMessage(markup.Join("\n", v.headline("👀"), markup.Plain(text), v.movedLine()))
}

// movedLine says that the chat uses the session from now on; empty: it did before.
func (v settingsView) movedLine() markup.Text {
	if !v.moved {
		return nil
	}
	return markup.Plain(v.w.Sessions.Using)
}

// choices is one page of what there is to choose from for a session.
type choices struct {
	names       []string
	missing     string // the name that was asked for and does not exist; empty: all is well
	page, pages int    // page from 0
}

func (v view) choices() choices { return choices{v.Names, v.Text, v.Page, v.Pages} }

// agentChoice tells which agent was chosen, or offers what there is.
func (v settingsView) agentChoice(c choices) Body {
	return v.offer(c, v.seat.Agent, v.last.Agent, inbound.ButtonAgent, inbound.ButtonAgents, v.w.Sessions.HowAgent)
}

// modelChoice tells the same of models.
func (v settingsView) modelChoice(c choices) Body {
	return v.offer(c, modelName(v.seat.Model), modelName(v.last.Model), inbound.ButtonModel, inbound.ButtonModels, v.w.Sessions.HowModel)
}

// modelName is a model as OpenCode writes it; empty: none.
func modelName(m session.Model) string {
	if m == (session.Model{}) {
		return ""
	}
	return m.Provider + "/" + m.ID
}

// worksWith are the agent and the model that the session is prompted with: what the chat has set for it, else what it used last.
func (v settingsView) worksWith() markup.Text {
	seat := v.seat
	if seat.Session != v.session.ID {
		seat = remote.ChatSettings{}
	}
	var names []string
	for _, name := range []string{cmp.Or(seat.Agent, v.last.Agent), cmp.Or(modelName(seat.Model), modelName(v.last.Model))} {
		if name != "" {
			names = append(names, markup.Isolate(markup.Shorten(markup.OneLine(name), 100)))
		}
	}
	if len(names) == 0 {
		return nil
	}
	return markup.Plain(fmt.Sprintf(v.w.Sessions.WorksWith, strings.Join(names, " · ")))
}

// offer offers names, each with a button. The text has them whole, as buttons are cut. used is what the chat has set, last what the session
// used last; empty: nothing.
func (v settingsView) offer(c choices, used, last string, pick, turn inbound.ButtonKind, how string) Body {
	lines := []markup.Text{v.headline("⚙️"), v.usedLine(c, used, last), v.movedLine()}
	if len(c.names) == 0 {
		return textMessage(markup.Join("\n", lines...))
	}
	if c.pages > 1 {
		lines[0] = append(lines[0], markup.Span{Text: " · " + fmt.Sprintf(v.w.OfItems, c.page+1, c.pages)})
	}
	var rows [][]Button
	for _, name := range c.names {
		sign := ""
		if name == cmp.Or(used, last) {
			sign = "✓ "
		}
		lines = append(lines, markup.Plain("· "+markup.Isolate(name)))
		rows = append(rows, []Button{{Label: sign + labelOf(name), Order: inbound.Button{Kind: pick, Session: v.session.ID, Tag: session.ShortTag(name)}}})
	}
	if used != "" {
		rows = append(rows, []Button{{Label: "↩ " + v.w.Sessions.AsLast, Order: inbound.Button{Kind: pick, Session: v.session.ID, Tag: session.ShortTag("")}}})
	}
	lines = append(lines, markup.Plain(how))
	return Body{Parts: markup.Split(markup.Join("\n", lines...)), Rows: append(rows, v.pageRow(c, turn))}
}

// labelOf is a name as a button has it: of one that is too long its end, as models of one provider begin alike.
func labelOf(name string) string { return lastRunes(markup.OneLine(name), LabelWidth-2) }

// pageRow leads to the pages before and after.
func (v settingsView) pageRow(c choices, turn inbound.ButtonKind) []Button {
	var row []Button
	if c.page > 0 {
		row = append(row, Button{Label: "◀ " + v.w.Back, Order: inbound.Button{Kind: turn, Session: v.session.ID, Page: c.page - 1}})
	}
	if c.page+1 < c.pages {
		row = append(row, Button{Label: v.w.Next + " ▶", Order: inbound.Button{Kind: turn, Session: v.session.ID, Page: c.page + 1}})
	}
	return row
}

// commandChoice tells which commands there are.
func (v settingsView) commandChoice(c choices) Body {
	lines := []markup.Text{v.headline("⚙️")}
	for _, name := range c.names {
		lines = append(lines, markup.Plain("/run "+markup.Isolate(name)))
	}
	return textMessage(markup.Join("\n", lines...))
}

// usedLine says what is used now, or from now on, or that the name which was asked for is not there.
func (v settingsView) usedLine(c choices, used, last string) markup.Text {
	switch {
	case c.missing == remote.NoName:
		return markup.Plain(v.w.Sessions.NoMore)
	case c.missing != "":
	case len(c.names) == 0:
		return v.chosenLine(used)
	case used != "":
		return markup.Plain(fmt.Sprintf(v.w.Sessions.SetNow, markup.Isolate(used)))
	case last != "":
		return markup.Plain(fmt.Sprintf(v.w.Sessions.SetLast, markup.Isolate(last)))
	default:
		return v.chosenLine("")
	}
	return markup.Plain(fmt.Sprintf(v.w.Sessions.NoSuch, markup.Isolate(markup.Shorten(c.missing, 64))))
}

// chosenLine says what is used from now on.
func (v settingsView) chosenLine(name string) markup.Text {
	if name == "" {
		return markup.Plain(v.w.Sessions.LastUsed)
	}
	return markup.Plain(fmt.Sprintf(v.w.Sessions.Chosen, markup.Isolate(name)))
}

// lastRunes is the end of a name that is too long.
func lastRunes(name string, most int) string {
	if n := utf8.RuneCountInString(name); n > most {
		return "…" + string([]rune(name)[n-most+1:])
	}
	return name
}
