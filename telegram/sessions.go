package telegram

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"hermes/internal/question"
)

// sessions is one page of the list, with a button for each to use it.
func (p teller) sessions() told {
	r := p.w.Sessions
	if len(p.Listed) == 0 {
		return told{parts: split(plain("📂 " + r.NoSessions))}
	}
	head := plain("📂 " + r.Sessions)
	if p.Pages > 1 {
		head = plain("📂 " + r.Sessions + " · " + fmt.Sprintf(p.w.OfItems, p.Page+1, p.Pages))
	}
	lines := []rich{head}
	var rows [][]orderButton
	for i, l := range p.Listed {
		n := p.Page*8 + i + 1
		lines = append(lines, p.listed(n, l))
		label := shorten(strconv.Itoa(n)+". "+oneLine(p.titleOf(l.Session)), labelWidth)
		rows = append(rows, []orderButton{{label, question.Order{Kind: question.OrderUse, Session: l.ID}, ""}})
	}
	return told{parts: split(join("\n", lines...)), rows: append(rows, p.turnPage())}
}

// listed is a session in two lines.
func (p teller) listed(n int, l question.Listed) rich {
	name := strconv.Itoa(n) + ". " + apart(project(l.Session)) + " · " + apart(p.titleOf(l.Session))
	state := p.w.Sessions.IsIdle
	switch {
	case l.Waits:
		state = p.w.Sessions.WaitsForYou
	case l.Busy:
		state = p.w.Sessions.Works
	}
	line := plain(name + "\n    " + stateSign(l) + " " + state)
	if l.Updated.After(time.Unix(0, 0)) {
		line = join(" · ", line, clock(l.Updated, p.now))
	}
	if l.Chosen {
		line = join(" · ", line, plain(p.w.Sessions.InUse))
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

func (p teller) turnPage() []orderButton {
	var row []orderButton
	if p.Page > 0 {
		row = append(row, orderButton{"◀ " + p.w.Back, question.Order{Kind: question.OrderPage, Page: p.Page - 1}, ""})
	}
	if p.Page+1 < p.Pages {
		row = append(row, orderButton{p.w.Next + " ▶", question.Order{Kind: question.OrderPage, Page: p.Page + 1}, ""})
	}
	return row
}

// maxFolders is how many directories get a button; all are in the text.
const maxFolders = 50

// whereTo lists the directories for a new session, with a button for each.
func (p teller) whereTo() told {
	lines := []rich{plain("📁 " + p.w.Sessions.Where)}
	var rows [][]orderButton
	for i, d := range p.Projects {
		lines = append(lines, plain("/new "+apart(d)))
		if i < maxFolders {
			label := shorten("📁 "+oneLine(p.folder(d)), labelWidth)
			rows = append(rows, []orderButton{{label, question.Order{Kind: question.OrderNew, Folder: question.Tag(d)}, ""}})
		}
	}
	return told{parts: split(join("\n", lines...)), rows: rows}
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
func (p teller) pending() rich {
	if len(p.Asks) == 0 {
		return plain("💤 " + p.w.Sessions.NoneWaits)
	}
	lines := []rich{plain("❓ " + p.w.Sessions.WaitForYou)}
	for _, t := range p.Asks {
		line := p.header(t)
		for _, name := range []string{oneLine(t.Project), oneLine(t.Place.Title)} {
			if name != "" {
				line += " · " + apart(shorten(name, 200))
			}
		}
		lines = append(lines, plain("· "+line))
	}
	return join("\n", lines...)
}

// status says how the session in use, the chat, and the ways to OpenCode stand.
func (p teller) status() rich {
	r := p.w.Sessions
	lines := []rich{plain("ℹ️ " + r.NoneInUse)}
	switch {
	case p.Session.ID != "":
		state := r.IsIdle
		if p.Session.Busy {
			state = r.Works
		}
		lines = []rich{p.headline("ℹ️"), plain(state + p.w.Stop)}
	case p.Seat.Session != "":
		lines = []rich{plain("ℹ️ " + fmt.Sprintf(r.NotReached, apart(shorten(oneLine(p.Seat.Title), 200))))}
	}
	if len(p.Asks) > 0 {
		lines = append(lines, plain(r.WaitForYou+" "+p.headers()))
	}
	if p.Owed > 0 {
		lines = append(lines, plain(fmt.Sprintf(r.Owed, p.Owed)))
	}
	lines = append(lines, p.levelLine(), p.muteLine())
	if p.Found == 0 {
		return join("\n", append(lines, plain(r.Offline))...)
	}
	return join("\n", append(lines, plain(fmt.Sprintf(r.Reached, p.Found)))...)
}

// settled tells what the chat hears.
func (p teller) settled() rich {
	if p.Kind == question.TellMute {
		return join("\n", p.muteOr(), plain(p.w.Sessions.HowMute))
	}
	return join("\n", p.levelLine(), plain(p.w.Sessions.HowLevel))
}

func (p teller) levelLine() rich {
	level := p.w.Sessions.Levels[p.Seat.Level]
	return plain("🔔 " + level)
}

func (p teller) muteLine() rich {
	if !p.Seat.Muted.After(p.now) {
		return nil
	}
	return phrase("🔕 "+p.w.Sessions.Muted, clock(p.Seat.Muted, p.now))
}

func (p teller) muteOr() rich {
	if m := p.muteLine(); !m.empty() {
		return m
	}
	return plain("🔔 " + p.w.Sessions.NotMuted)
}

// choice tells what was chosen for the session, or what there is to choose from.
func (p teller) choice() rich {
	r := p.w.Sessions
	command, chosen := "/agent ", p.Seat.Agent
	switch p.Kind {
	case question.TellModel:
		command, chosen = "/model ", p.Seat.Model.Provider+"/"+p.Seat.Model.ID
	case question.TellRun:
		command, chosen = "/run ", ""
	}
	lines := []rich{p.headline("⚙️")}
	switch {
	case p.Text != "":
		lines = append(lines, plain(fmt.Sprintf(r.NoSuch, apart(shorten(p.Text, 64)))))
	case p.Kind == question.TellRun:
	case strings.Trim(chosen, "/") == "":
		lines = append(lines, plain(r.LastUsed))
	default:
		lines = append(lines, plain(fmt.Sprintf(r.Chosen, apart(chosen))))
	}
	for _, name := range p.Names {
		lines = append(lines, plain(command+apart(name)))
	}
	return join("\n", lines...)
}
