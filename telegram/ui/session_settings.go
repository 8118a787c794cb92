package ui

import (
	"cmp"
	"fmt"
	"time"
	"unicode/utf8"

	"hermes/internal/inbound"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// HearsOf says how much is sent to the chat. after is how long a turn must run for remote.LevelTurns.
func HearsOf(settings remote.ChatSettings, after time.Duration) Text {
	return func(r Reader) Body {
		w := r.Words.Sessions
		m := textMessage(markup.Join("\n", levelLine(settings, after, r.Words), markup.Plain(w.HowLevel)))
		for _, level := range []remote.Level{remote.LevelQuestions, remote.LevelTurns, remote.LevelAll} {
			label := w.LevelNames[level]
			if level == settings.Level.Chosen() {
				label = "✓ " + label
			}
			m.Rows = append(m.Rows, []Button{{Label: label, Order: inbound.Button{Kind: inbound.ButtonLevel, Level: string(level)}}})
		}
		return m
	}
}

// IsMuted tells whether the ends of turns are muted.
func IsMuted(settings remote.ChatSettings) Text {
	return func(r Reader) Body {
		line := muteLine(settings, r)
		if line.Empty() {
			line = markup.Plain("🔔 " + r.Words.Sessions.NotMuted)
		}
		return textMessage(markup.Join("\n", line, markup.Plain(r.Words.Sessions.HowMute)))
	}
}

func levelLine(settings remote.ChatSettings, after time.Duration, w words.Table) markup.Text {
	level := settings.Level.Chosen()
	text := w.Sessions.Levels[level]
	if level == remote.LevelTurns && after > 0 {
		text = fmt.Sprintf(w.Sessions.LongTurns, w.Duration(after))
	}
	return markup.Plain("🔔 " + text)
}

// muteLine is empty where nothing is muted.
func muteLine(settings remote.ChatSettings, r Reader) markup.Text {
	if !settings.Muted.After(r.Now) {
		return nil
	}
	return markup.Phrase("🔕 "+r.Words.Sessions.Muted, markup.Clock(settings.Muted, r.Now))
}

// Follows tells whether the chat follows the session that it uses. moved: it uses that from now on.
func Follows(s session.Session, follows, moved bool) Text {
	return func(r Reader) Body {
		text := r.Words.Sessions.Live.Off
		if follows {
			text = r.Words.Sessions.Live.On
		}
		if s.ID == "" {
			return textMessage(markup.Plain("👀 " + text))
		}
		return textMessage(markup.Join("\n", sessionHeadline(s, "👀"), markup.Plain(text), movedLine(moved, r.Words)))
	}
}

// movedLine says that the chat uses the session from now on; empty: it did before.
func movedLine(moved bool, w words.Table) markup.Text {
	if !moved {
		return nil
	}
	return markup.Plain(w.Sessions.Using)
}

// Choice is what a session works with: it was chosen, or there is a page of names to choose from.
type Choice struct {
	Session  session.Session
	Settings remote.ChatSettings
	Last     session.Turn // of the session
	Moved    bool         // the chat uses the session from now on
	Names    []string     // one page of them; empty: it was chosen
	Missing  string       // the name that was asked for and does not exist, or remote.NoName; empty: all is well
	Page     int          // from 0
	Pages    int
}

// Agent tells which agent was chosen, or offers what there is.
func (c Choice) Agent() Text {
	return func(r Reader) Body {
		return offer{c, c.Settings.Agent, c.Last.Agent, r.Words}.message(inbound.ButtonAgent, inbound.ButtonAgents, r.Words.Sessions.HowAgent)
	}
}

// Model tells the same of models.
func (c Choice) Model() Text {
	return func(r Reader) Body {
		return offer{c, modelName(c.Settings.Model), modelName(c.Last.Model), r.Words}.message(inbound.ButtonModel, inbound.ButtonModels, r.Words.Sessions.HowModel)
	}
}

// modelName is a model as OpenCode writes it; empty: none.
func modelName(m session.Model) string {
	if m == (session.Model{}) {
		return ""
	}
	return m.Provider + "/" + m.ID
}

// offer offers names, each with a button.
type offer struct {
	Choice
	used string // what the chat has set; empty: nothing
	last string // what the session used last; empty: nothing
	w    words.Table
}

// message has the names whole, as buttons are cut.
func (o offer) message(pick, turn inbound.ButtonKind, how string) Body {
	lines := []markup.Text{sessionHeadline(o.Session, "⚙️"), o.usedLine(), movedLine(o.Moved, o.w)}
	if len(o.Names) == 0 {
		return textMessage(markup.Join("\n", lines...))
	}
	if o.Pages > 1 {
		lines[0] = append(lines[0], markup.Span{Text: " · " + fmt.Sprintf(o.w.OfItems, o.Page+1, o.Pages)})
	}
	var rows [][]Button
	for _, name := range o.Names {
		sign := ""
		if name == cmp.Or(o.used, o.last) {
			sign = "✓ "
		}
		lines = append(lines, markup.Plain("· "+markup.Isolate(name)))
		rows = append(rows, []Button{{Label: sign + labelOf(name), Order: inbound.Button{Kind: pick, Session: o.Session.ID, Tag: session.ShortTag(name)}}})
	}
	if o.used != "" {
		rows = append(rows, []Button{{Label: "↩ " + o.w.Sessions.AsLast, Order: inbound.Button{Kind: pick, Session: o.Session.ID, Tag: session.ShortTag("")}}})
	}
	lines = append(lines, markup.Plain(how))
	return Body{Parts: markup.Split(markup.Join("\n", lines...)), Rows: append(rows, pageRow(o.Page, o.Pages, inbound.Button{Kind: turn, Session: o.Session.ID}, o.w))}
}

// labelOf is a name as a button has it: of one that is too long its end, as models of one provider begin alike.
func labelOf(name string) string { return lastRunes(markup.OneLine(name), LabelWidth-2) }

// pageRow leads to the pages before and after, by a button with its page.
func pageRow(page, pages int, to inbound.Button, w words.Table) (row []Button) {
	turn := func(label string, page int) {
		to.Page = page
		row = append(row, Button{Label: label, Order: to})
	}
	if page > 0 {
		turn("◀ "+w.Back, page-1)
	}
	if page+1 < pages {
		turn(w.Next+" ▶", page+1)
	}
	return row
}

// CommandList tells which commands of its own OpenCode has for the session.
func CommandList(s session.Session, names []string) Text {
	return func(Reader) Body {
		lines := []markup.Text{sessionHeadline(s, "⚙️")}
		for _, name := range names {
			lines = append(lines, markup.Plain("/run "+markup.Isolate(name)))
		}
		return textMessage(markup.Join("\n", lines...))
	}
}

// usedLine says what is used now, or from now on, or that the name which was asked for is not there.
func (o offer) usedLine() markup.Text {
	w := o.w.Sessions
	switch {
	case o.Missing == remote.NoName:
		return markup.Plain(w.NoMore)
	case o.Missing != "":
		return markup.Plain(fmt.Sprintf(w.NoSuch, markup.Isolate(markup.Shorten(o.Missing, 64))))
	case len(o.Names) == 0 && o.used != "":
		return markup.Plain(fmt.Sprintf(w.Chosen, markup.Isolate(o.used)))
	case len(o.Names) > 0 && o.used != "":
		return markup.Plain(fmt.Sprintf(w.SetNow, markup.Isolate(o.used)))
	case len(o.Names) > 0 && o.last != "":
		return markup.Plain(fmt.Sprintf(w.SetLast, markup.Isolate(o.last)))
	}
	return markup.Plain(w.LastUsed)
}

// lastRunes is the end of a name that is too long.
func lastRunes(name string, most int) string {
	if n := utf8.RuneCountInString(name); n > most {
		return "…" + string([]rune(name)[n-most+1:])
	}
	return name
}
