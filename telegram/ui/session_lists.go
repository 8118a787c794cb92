package ui

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/letters"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// sessionList is one page of the sessions, with a button for each to use it.
type sessionList struct {
	listed      []remote.ListedSession
	page, pages int // page from 0
	w           words.Table
	now         time.Time
}

const (
	// pageSize is how many sessions are on a page.
	pageSize = 8
	// wordsShown is how much is shown of a session's last words.
	wordsShown = 100
)

func (l sessionList) message() Body {
	r := l.w.Sessions
	if len(l.listed) == 0 {
		return textMessage(markup.Plain("📂 " + r.NoSessions))
	}
	head := markup.Plain("📂 " + r.Sessions)
	if l.pages > 1 {
		head = markup.Plain("📂 " + r.Sessions + " · " + fmt.Sprintf(l.w.OfItems, l.page+1, l.pages))
	}
	lines := []markup.Text{head}
	var rows [][]Button
	for i, s := range l.listed {
		n := l.page*pageSize + i + 1
		lines = append(lines, l.entry(n, s))
		label := markup.Shorten(strconv.Itoa(n)+". "+markup.OneLine(l.titleOf(s.Session)), LabelWidth)
		rows = append(rows, []Button{{Label: label, Order: inbound.Button{Kind: inbound.ButtonUse, Session: s.ID}}})
	}
	return Body{Parts: markup.Split(markup.Join("\n", lines...)), Rows: append(rows, l.pageRow())}
}

// entry is a session in two lines.
func (l sessionList) entry(n int, s remote.ListedSession) markup.Text {
	project := projectName(s.Session)
	if s.Long {
		project = markup.OneLine(session.Origin{Directory: s.Directory}.LongProject())
	}
	name := strconv.Itoa(n) + ". " + markup.Isolate(project) + " · " + markup.Isolate(l.titleOf(s.Session))
	state := l.w.Sessions.IsIdle
	switch {
	case s.Waits:
		state = l.w.Sessions.WaitsForYou
	case s.Busy:
		state = l.w.Sessions.Works
	}
	line := markup.Plain(name + "\n    " + stateSign(s) + " " + state)
	if s.Updated.After(time.Unix(0, 0)) {
		line = markup.Join(" · ", line, markup.Clock(s.Updated, l.now))
	}
	if s.Chosen {
		line = markup.Join(" · ", line, markup.Plain(l.w.Sessions.InUse))
	}
	if s.End != "" {
		line = markup.Join(" · ", line, markup.Plain("…"+markup.Isolate(s.End)))
	}
	if said := strings.TrimSpace(letters.Clean(s.Words)); said != "" {
		line = markup.Join("\n    ", line, markup.Plain("“"+markup.Isolate(markup.Shorten(markup.OneLine(said), wordsShown))+"”"))
	}
	return line
}

func stateSign(l remote.ListedSession) string {
	switch {
	case l.Waits:
		return "❓"
	case l.Busy:
		return "⚙️"
	}
	return "💤"
}

func (l sessionList) titleOf(s session.Session) string {
	if s.Title == "" {
		return l.w.Sessions.Untitled
	}
	return s.Title
}

// pageRow leads to the pages before and after.
func (l sessionList) pageRow() []Button {
	var row []Button
	if l.page > 0 {
		row = append(row, Button{Label: "◀ " + l.w.Back, Order: inbound.Button{Kind: inbound.ButtonPage, Page: l.page - 1}})
	}
	if l.page+1 < l.pages {
		row = append(row, Button{Label: l.w.Next + " ▶", Order: inbound.Button{Kind: inbound.ButtonPage, Page: l.page + 1}})
	}
	return row
}

// maxFolders is how many directories get a button; all are in the text.
const maxFolders = 50

// folderList is the directories for a new session, with a button for each.
type folderList struct {
	directories []string
	w           words.Table
}

func (l folderList) message() Body {
	lines := []markup.Text{markup.Plain("📁 " + l.w.Sessions.Where)}
	var rows [][]Button
	for i, d := range l.directories {
		lines = append(lines, markup.Plain("/new "+markup.Isolate(d)))
		if i < maxFolders {
			label := markup.Shorten("📁 "+markup.OneLine(l.shortName(d)), LabelWidth)
			rows = append(rows, []Button{{Label: label, Order: inbound.Button{Kind: inbound.ButtonNew, Folder: session.Tag(d)}}})
		}
	}
	return Body{Parts: markup.Split(markup.Join("\n", lines...)), Rows: rows}
}

// shortName is a directory's short name, or a longer one if another has that too.
func (l folderList) shortName(directory string) string {
	o := session.Origin{Directory: directory}
	for _, other := range l.directories {
		if other != directory && (session.Origin{Directory: other}).Project() == o.Project() {
			return o.LongProject()
		}
	}
	return o.Project()
}

// heading names a session.
type heading struct{ session session.Session }

// headline is the first line: a sign, the project, and the session's title.
func (h heading) headline(sign string) markup.Text {
	line := markup.Text{{Text: sign + " "}, {Text: markup.Isolate(markup.Shorten(projectName(h.session), 100)), Bold: true}}
	if h.session.Title != "" {
		line = append(line, markup.Span{Text: " · " + markup.Isolate(markup.Shorten(markup.OneLine(h.session.Title), 200))})
	}
	return line
}

// name names the session at the end of a sentence, as far as it is known.
func (h heading) name() markup.Text {
	var parts []string
	for _, name := range []string{projectName(h.session), markup.OneLine(h.session.Title)} {
		if name != "" {
			parts = append(parts, markup.Isolate(markup.Shorten(name, 200)))
		}
	}
	return markup.Plain(strings.Join(parts, " · "))
}

func projectName(s session.Session) string {
	return markup.OneLine(session.Origin{Directory: s.Directory}.Project())
}

// waitingAsks lists what waits for a person in this chat.
func (v view) waitingAsks() Body {
	if len(v.Asks) == 0 {
		return textMessage(markup.Plain("💤 " + v.w.Sessions.NoneWaits))
	}
	lines := []markup.Text{markup.Plain("❓ " + v.w.Sessions.WaitForYou)}
	for _, t := range v.Asks {
		line := NameOf(t, v.w)
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
func (v view) status() Body {
	r := v.w.Sessions
	lines := []markup.Text{markup.Plain("ℹ️ " + r.NoneInUse)}
	switch {
	case v.Session.ID != "":
		state := r.IsIdle
		if v.Session.Busy {
			state = r.Works
		}
		lines = []markup.Text{v.headline("ℹ️"), markup.Plain(state)}
		if dir := markup.OneLine(v.Session.Directory); dir != "" {
			lines = append(lines, markup.Plain(fmt.Sprintf(v.w.Permission.In, markup.Isolate(markup.Shorten(dir, 200)))))
		}
		lines = append(lines, v.settings().worksWith())
		if numbers := markup.Join(" · ", v.turn().numbers()...); !numbers.Empty() {
			lines = append(lines, markup.Phrase(r.LastTurn, numbers))
		}
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

// machines lists a person's machines, each with what is linked there and what waits; nothing for none.
func (v view) machines() markup.Text {
	if len(v.Machines) == 0 {
		return nil
	}
	lines := []markup.Text{markup.Plain("🖥 " + v.w.Machines.Yours)}
	for _, m := range v.Machines {
		lines = append(lines, v.machine(m))
	}
	return markup.Join("\n", lines...)
}

func (v view) machine(m remote.Machine) markup.Text {
	parts := []markup.Text{markup.Plain("· " + theirs(m.Name))}
	if m.Host != "" && m.Host != m.Name {
		parts = append(parts, markup.Plain(theirs(m.Host)))
	}
	for _, l := range m.Linked {
		parts = append(parts, markup.Plain(v.linked(l)))
	}
	if len(m.Linked) == 0 {
		parts = append(parts, v.lastSeen(m))
	}
	if m.Waiting > 0 {
		parts = append(parts, markup.Plain(fmt.Sprintf(v.w.Machines.Waiting, m.Waiting)))
	}
	return markup.Join(" · ", parts...)
}

func (v view) lastSeen(m remote.Machine) markup.Text {
	if m.Seen.IsZero() {
		return markup.Plain(v.w.Machines.NeverSeen)
	}
	return markup.Phrase(v.w.Machines.LastSeen, markup.Clock(m.Seen, v.now))
}

// linked names an OpenCode, and what links it.
func (v view) linked(l remote.Linked) string {
	format := v.w.Machines.ByPlugin
	if l.Process {
		format = v.w.Machines.ByProcess
	}
	text := fmt.Sprintf(format, theirs(cmp.Or(l.OpenCode, "?")), theirs(cmp.Or(l.By, "?")), l.Protocol)
	if l.Refused {
		text += " · " + v.w.Machines.Refused
	}
	return text
}

// theirs is a word that a machine says of itself.
func theirs(s string) string {
	return markup.Isolate(markup.Shorten(strings.TrimSpace(markup.OneLine(s)), 63))
}

// help says what there is to write.
func (v view) help() Body {
	text := v.w.Sessions.Help
	if v.Links {
		text += "\n" + v.w.Machines.Help
	}
	return textMessage(markup.Plain(text))
}

// maxUnlinks bounds the buttons below a list of machines.
const maxUnlinks = 20

// unlinkRows are the buttons that ask whether a machine's link shall be revoked.
func (v view) unlinkRows() (rows [][]Button) {
	for _, m := range v.Machines[:min(len(v.Machines), maxUnlinks)] {
		rows = append(rows, []Button{{
			Label: "🗑 " + fmt.Sprintf(v.w.Machines.Unlink, theirs(m.Name)), Order: inbound.Button{Kind: inbound.ButtonUnlinks, Tag: session.ShortTag(m.Link)},
		}})
	}
	return rows
}

// askToUnlink asks whether the link of a machine shall be revoked.
func (v view) askToUnlink() Body {
	m, tag := v.ofMachine("🗑", v.w.Machines.UnlinkAsk)(), session.ShortTag(v.firstMachine().Link)
	m.Rows = [][]Button{{
		{Label: "🗑 " + v.w.Machines.DoUnlink, Order: inbound.Button{Kind: inbound.ButtonUnlink, Tag: tag, At: v.At}, Style: StyleDanger},
		{Label: v.w.Machines.Keep, Order: inbound.Button{Kind: inbound.ButtonLinked, Tag: tag}},
	}}
	return m
}

// ofMachine is a sentence about a machine, by its name.
func (v view) ofMachine(sign, format string) func() Body {
	return func() Body {
		return textMessage(markup.Plain(sign + " " + fmt.Sprintf(format, theirs(v.firstMachine().Name))))
	}
}

// firstMachine is the one that a message is about.
func (v view) firstMachine() remote.Machine {
	if len(v.Machines) == 0 {
		return remote.Machine{}
	}
	return v.Machines[0]
}
