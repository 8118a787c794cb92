package sessionview

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"hermes/internal/question"
	"hermes/telegram/card"
	"hermes/telegram/markup"
)

// sessions is one page of the list, with a button for each to use it.
func (p teller) sessions() Message {
	r := p.w.Sessions
	if len(p.Listed) == 0 {
		return Message{Parts: markup.Split(markup.Plain("📂 " + r.NoSessions))}
	}
	head := markup.Plain("📂 " + r.Sessions)
	if p.Pages > 1 {
		head = markup.Plain("📂 " + r.Sessions + " · " + fmt.Sprintf(p.w.OfItems, p.Page+1, p.Pages))
	}
	lines := []markup.Text{head}
	var rows [][]card.Button
	for i, l := range p.Listed {
		n := p.Page*8 + i + 1
		lines = append(lines, p.listed(n, l))
		label := markup.Shorten(strconv.Itoa(n)+". "+markup.OneLine(p.titleOf(l.Session)), card.LabelWidth)
		rows = append(rows, []card.Button{{Label: label, Order: question.Order{Kind: question.OrderUse, Session: l.ID}}})
	}
	return Message{Parts: markup.Split(markup.Join("\n", lines...)), Rows: append(rows, p.turnPage())}
}

// listed is a session in two lines.
func (p teller) listed(n int, l question.Listed) markup.Text {
	name := strconv.Itoa(n) + ". " + markup.Isolate(project(l.Session)) + " · " + markup.Isolate(p.titleOf(l.Session))
	state := p.w.Sessions.IsIdle
	switch {
	case l.Waits:
		state = p.w.Sessions.WaitsForYou
	case l.Busy:
		state = p.w.Sessions.Works
	}
	line := markup.Plain(name + "\n    " + stateSign(l) + " " + state)
	if l.Updated.After(time.Unix(0, 0)) {
		line = markup.Join(" · ", line, markup.Clock(l.Updated, p.now))
	}
	if l.Chosen {
		line = markup.Join(" · ", line, markup.Plain(p.w.Sessions.InUse))
	}
	return line
}

func stateSign(l question.Listed) string {
	switch {
	case l.Waits:
		return "❓"
	case l.Busy:
		return "⚙️"
	}
	return "💤"
}

func (p teller) titleOf(s question.Session) string {
	if s.Title == "" {
		return p.w.Sessions.Untitled
	}
	return s.Title
}

func (p teller) turnPage() []card.Button {
	var row []card.Button
	if p.Page > 0 {
		row = append(row, card.Button{Label: "◀ " + p.w.Back, Order: question.Order{Kind: question.OrderPage, Page: p.Page - 1}})
	}
	if p.Page+1 < p.Pages {
		row = append(row, card.Button{Label: p.w.Next + " ▶", Order: question.Order{Kind: question.OrderPage, Page: p.Page + 1}})
	}
	return row
}

// maxFolders is how many directories get a button; all are in the text.
const maxFolders = 50

// whereTo lists the directories for a new session, with a button for each.
func (p teller) whereTo() Message {
	lines := []markup.Text{markup.Plain("📁 " + p.w.Sessions.Where)}
	var rows [][]card.Button
	for i, d := range p.Projects {
		lines = append(lines, markup.Plain("/new "+markup.Isolate(d)))
		if i < maxFolders {
			label := markup.Shorten("📁 "+markup.OneLine(p.folder(d)), card.LabelWidth)
			rows = append(rows, []card.Button{{Label: label, Order: question.Order{Kind: question.OrderNew, Folder: question.Tag(d)}}})
		}
	}
	return Message{Parts: markup.Split(markup.Join("\n", lines...)), Rows: rows}
}

// folder is a directory's short name, or a longer one if another has that too.
func (p teller) folder(directory string) string {
	o := question.Origin{Directory: directory}
	for _, other := range p.Projects {
		if other != directory && (question.Origin{Directory: other}).Project() == o.Project() {
			return o.LongProject()
		}
	}
	return o.Project()
}

// pending lists what waits for a person in this chat.
func (p teller) pending() markup.Text {
	if len(p.Asks) == 0 {
		return markup.Plain("💤 " + p.w.Sessions.NoneWaits)
	}
	lines := []markup.Text{markup.Plain("❓ " + p.w.Sessions.WaitForYou)}
	for _, t := range p.Asks {
		line := card.NameOf(t, p.w)
		for _, name := range []string{markup.OneLine(t.Project), markup.OneLine(t.Place.Title)} {
			if name != "" {
				line += " · " + markup.Isolate(markup.Shorten(name, 200))
			}
		}
		lines = append(lines, markup.Plain("· "+line))
	}
	return markup.Join("\n", lines...)
}

// status says how the session in use, the chat, and the ways to OpenCode stand.
func (p teller) status() markup.Text {
	r := p.w.Sessions
	lines := []markup.Text{markup.Plain("ℹ️ " + r.NoneInUse)}
	switch {
	case p.Session.ID != "":
		state := r.IsIdle
		if p.Session.Busy {
			state = r.Works
		}
		lines = []markup.Text{p.headline("ℹ️"), markup.Plain(state + p.w.Stop)}
	case p.Seat.Session != "":
		lines = []markup.Text{markup.Plain("ℹ️ " + fmt.Sprintf(r.NotReached, markup.Isolate(markup.Shorten(markup.OneLine(p.Seat.Title), 200))))}
	}
	if len(p.Asks) > 0 {
		lines = append(lines, markup.Plain(r.WaitForYou+" "+p.headers()))
	}
	if p.Owed > 0 {
		lines = append(lines, markup.Plain(fmt.Sprintf(r.Owed, p.Owed)))
	}
	lines = append(lines, p.levelLine(), p.muteLine())
	if p.Found == 0 {
		return markup.Join("\n", append(lines, markup.Plain(r.Offline))...)
	}
	return markup.Join("\n", append(lines, markup.Plain(fmt.Sprintf(r.Reached, p.Found)))...)
}

// settled tells what the chat hears.
func (p teller) settled() markup.Text {
	if p.Kind == question.TellMute {
		return markup.Join("\n", p.muteOr(), markup.Plain(p.w.Sessions.HowMute))
	}
	return markup.Join("\n", p.levelLine(), markup.Plain(p.w.Sessions.HowLevel))
}

func (p teller) levelLine() markup.Text {
	level := p.w.Sessions.Levels[p.Seat.Level]
	return markup.Plain("🔔 " + level)
}

func (p teller) muteLine() markup.Text {
	if !p.Seat.Muted.After(p.now) {
		return nil
	}
	return markup.Phrase("🔕 "+p.w.Sessions.Muted, markup.Clock(p.Seat.Muted, p.now))
}

func (p teller) muteOr() markup.Text {
	if m := p.muteLine(); !m.Empty() {
		return m
	}
	return markup.Plain("🔔 " + p.w.Sessions.NotMuted)
}

// choice tells what was chosen for the session, or what there is to choose from.
func (p teller) choice() markup.Text {
	r := p.w.Sessions
	command, chosen := "/agent ", p.Seat.Agent
	switch p.Kind {
	case question.TellModel:
		command, chosen = "/model ", p.Seat.Model.Provider+"/"+p.Seat.Model.ID
	case question.TellRun:
		command, chosen = "/run ", ""
	}
	lines := []markup.Text{p.headline("⚙️")}
	switch {
	case p.Text != "":
		lines = append(lines, markup.Plain(fmt.Sprintf(r.NoSuch, markup.Isolate(markup.Shorten(p.Text, 64)))))
	case p.Kind == question.TellRun:
	case strings.Trim(chosen, "/") == "":
		lines = append(lines, markup.Plain(r.LastUsed))
	default:
		lines = append(lines, markup.Plain(fmt.Sprintf(r.Chosen, markup.Isolate(chosen))))
	}
	for _, name := range p.Names {
		lines = append(lines, markup.Plain(command+markup.Isolate(name)))
	}
	return markup.Join("\n", lines...)
}
