package sessionview

import (
	"fmt"

	"hermes/telegram/card"
	"hermes/telegram/markup"
)

// waitingAsks lists what waits for a person in this chat.
func (v view) waitingAsks() Message {
	if len(v.Asks) == 0 {
		return textMessage(markup.Plain("💤 " + v.w.Sessions.NoneWaits))
	}
	lines := []markup.Text{markup.Plain("❓ " + v.w.Sessions.WaitForYou)}
	for _, t := range v.Asks {
		line := card.NameOf(t, v.w)
		for _, name := range []string{markup.OneLine(t.Project), markup.OneLine(t.Place.Title)} {
			if name != "" {
				line += " · " + markup.Isolate(markup.Shorten(name, 200))
			}
		}
		lines = append(lines, markup.Plain("· "+line))
	}
	return textMessage(markup.Join("\n", lines...))
}

// status says how the session in use, the chat, and the ways to OpenCode stand.
func (v view) status() Message {
	r := v.w.Sessions
	lines := []markup.Text{markup.Plain("ℹ️ " + r.NoneInUse)}
	switch {
	case v.Session.ID != "":
		state := r.IsIdle
		if v.Session.Busy {
			state = r.Works
		}
		lines = []markup.Text{v.headline("ℹ️"), markup.Plain(state)}
	case v.Settings.Session != "":
		lines = []markup.Text{markup.Plain("ℹ️ " + fmt.Sprintf(r.NotReached, markup.Isolate(markup.Shorten(markup.OneLine(v.Settings.Title), 200))))}
	}
	if len(v.Asks) > 0 {
		lines = append(lines, markup.Plain(fmt.Sprintf(r.WaitNames, v.askNames())))
	}
	if v.Owed > 0 {
		lines = append(lines, markup.Plain(fmt.Sprintf(r.Owed, v.Owed)))
	}
	reached := markup.Plain(fmt.Sprintf(r.Reached, v.Found))
	if v.Found == 0 {
		reached = markup.Plain(r.Offline)
	}
	lines = append(lines, v.settings().levelLine(), v.settings().muteLine(), reached, v.machines())
	m := textMessage(markup.Join("\n", lines...))
	m.Rows = v.unlinkRows()
	return m
}
