package sessionview

import (
	"fmt"
	"time"

	"hermes/internal/remote"
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
	return textMessage(markup.Join("\n", v.levelLine(), markup.Plain(v.w.Sessions.HowLevel)))
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

// choices is what there is to choose from for a session.
type choices struct {
	names   []string
	missing string // the name that was asked for and does not exist; empty: all is well
}

func (v view) choices() choices { return choices{v.Names, v.Text} }

// agentChoice tells which agent was chosen, or what there is to choose from.
func (v settingsView) agentChoice(c choices) Message {
	return v.choiceList("/agent ", c, v.chosenLine(v.seat.Agent))
}

// modelChoice tells the same of models.
func (v settingsView) modelChoice(c choices) Message {
	name := ""
	if m := v.seat.Model; m.Provider != "" || m.ID != "" {
		name = m.Provider + "/" + m.ID
	}
	return v.choiceList("/model ", c, v.chosenLine(name))
}

// commandChoice tells which commands there are.
func (v settingsView) commandChoice(c choices) Message { return v.choiceList("/run ", c, nil) }

// chosenLine says what is used from now on.
func (v settingsView) chosenLine(name string) markup.Text {
	if name == "" {
		return markup.Plain(v.w.Sessions.LastUsed)
	}
	return markup.Plain(fmt.Sprintf(v.w.Sessions.Chosen, markup.Isolate(name)))
}

// choiceList lists what there is, with the command that chooses it.
func (v settingsView) choiceList(command string, c choices, chosen markup.Text) Message {
	if c.missing != "" {
		chosen = markup.Plain(fmt.Sprintf(v.w.Sessions.NoSuch, markup.Isolate(markup.Shorten(c.missing, 64))))
	}
	lines := []markup.Text{v.headline("⚙️"), chosen}
	for _, name := range c.names {
		lines = append(lines, markup.Plain(command+markup.Isolate(name)))
	}
	return textMessage(markup.Join("\n", lines...))
}
