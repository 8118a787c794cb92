package sessionview

import (
	"fmt"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/telegram/card"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// settingsView is a chat's settings: what is sent to it, and how its session works.
type settingsView struct {
	heading
	seat  remote.ChatSettings
	after time.Duration // how long a turn must run for remote.LevelTurns
	w     words.Table
	now   time.Time
}

func (v view) settings() settingsView {
	return settingsView{v.heading, v.Settings, v.After, v.w, v.now}
}

// levelMessage says how much is sent to the chat.
func (v settingsView) levelMessage() Message {
	m := textMessage(markup.Join("\n", v.levelLine(), markup.Plain(v.w.Sessions.HowLevel)))
	for _, level := range []remote.Level{remote.LevelQuestions, remote.LevelTurns, remote.LevelAll} {
		label := v.w.Sessions.LevelNames[level]
		if level == v.seat.Level.Chosen() {
			label = "✓ " + label
		}
		m.Rows = append(m.Rows, []card.Button{{Label: label, Order: inbound.Button{Kind: inbound.ButtonLevel, Level: string(level)}}})
	}
	return m
}

// muteMessage tells whether the ends of turns are muted.
func (v settingsView) muteMessage() Message {
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
func (v settingsView) followMessage() Message {
	text := v.w.Sessions.Live.Off
	if v.seat.Follow {
		text = v.w.Sessions.Live.On
	}
	if v.session.ID == "" {
		return textMessage(markup.Plain("👀 " + text))
	}
	return textMessage(markup.Join("\n", v.headline("👀"), markup.Plain(text)))
}

// choices is one page of what there is to choose from for a session.
type choices struct {
	names       []string
	missing     string // the name that was asked for and does not exist; empty: all is well
	page, pages int    // page from 0
}

func (v view) choices() choices { return choices{v.Names, v.Text, v.Page, v.Pages} }

// agentChoice tells which agent was chosen, or offers what there is.
func (v settingsView) agentChoice(c choices) Message {
	return v.offer(c, v.seat.Agent, inbound.ButtonAgent, inbound.ButtonAgents, v.w.Sessions.HowAgent)
}

// modelChoice tells the same of models.
func (v settingsView) modelChoice(c choices) Message {
	name := ""
	if m := v.seat.Model; m.Provider != "" || m.ID != "" {
		name = m.Provider + "/" + m.ID
	}
	return v.offer(c, name, inbound.ButtonModel, inbound.ButtonModels, v.w.Sessions.HowModel)
}

// offer offers names, each with a button. The text has them whole, as buttons are cut.
func (v settingsView) offer(c choices, used string, pick, turn inbound.ButtonKind, how string) Message {
	lines := []markup.Text{v.headline("⚙️"), v.usedLine(c, used)}
	if len(c.names) == 0 {
		return textMessage(markup.Join("\n", lines...))
	}
	if c.pages > 1 {
		lines[0] = append(lines[0], markup.Span{Text: " · " + fmt.Sprintf(v.w.OfItems, c.page+1, c.pages)})
	}
	var rows [][]card.Button
	for _, name := range c.names {
		sign := ""
		if name == used {
			sign = "✓ "
		}
		lines = append(lines, markup.Plain("· "+markup.Isolate(name)))
		rows = append(rows, []card.Button{{Label: sign + labelOf(name), Order: inbound.Button{Kind: pick, Session: v.session.ID, Tag: session.ShortTag(name)}}})
	}
	if used != "" {
		rows = append(rows, []card.Button{{Label: "↩ " + v.w.Sessions.AsLast, Order: inbound.Button{Kind: pick, Session: v.session.ID, Tag: session.ShortTag("")}}})
	}
	lines = append(lines, markup.Plain(how))
	return Message{Parts: markup.Split(markup.Join("\n", lines...)), Rows: append(rows, v.pageRow(c, turn))}
}

// labelOf is a name as a button has it: of one that is too long its end, as models of one provider begin alike.
func labelOf(name string) string { return lastRunes(markup.OneLine(name), card.LabelWidth-2) }

// pageRow leads to the pages before and after.
func (v settingsView) pageRow(c choices, turn inbound.ButtonKind) []card.Button {
	var row []card.Button
	if c.page > 0 {
		row = append(row, card.Button{Label: "◀ " + v.w.Back, Order: inbound.Button{Kind: turn, Session: v.session.ID, Page: c.page - 1}})
	}
	if c.page+1 < c.pages {
		row = append(row, card.Button{Label: v.w.Next + " ▶", Order: inbound.Button{Kind: turn, Session: v.session.ID, Page: c.page + 1}})
	}
	return row
}

// commandChoice tells which commands there are.
func (v settingsView) commandChoice(c choices) Message {
	lines := []markup.Text{v.headline("⚙️")}
	for _, name := range c.names {
		lines = append(lines, markup.Plain("/run "+markup.Isolate(name)))
	}
	return textMessage(markup.Join("\n", lines...))
}

// usedLine says what is used from now on, or that the name which was asked for is not there.
func (v settingsView) usedLine(c choices, used string) markup.Text {
	switch c.missing {
	case "":
		return v.chosenLine(used)
	case remote.NoName:
		return markup.Plain(v.w.Sessions.NoMore)
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
