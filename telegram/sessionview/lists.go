package sessionview

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/letters"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/telegram/card"
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

func (l sessionList) message() Message {
	r := l.w.Sessions
	if len(l.listed) == 0 {
		return textMessage(markup.Plain("📂 " + r.NoSessions))
	}
	head := markup.Plain("📂 " + r.Sessions)
	if l.pages > 1 {
		head = markup.Plain("📂 " + r.Sessions + " · " + fmt.Sprintf(l.w.OfItems, l.page+1, l.pages))
	}
	lines := []markup.Text{head}
	var rows [][]card.Button
	for i, s := range l.listed {
		n := l.page*pageSize + i + 1
		lines = append(lines, l.entry(n, s))
		label := markup.Shorten(strconv.Itoa(n)+". "+markup.OneLine(l.titleOf(s.Session)), card.LabelWidth)
		rows = append(rows, []card.Button{{Label: label, Order: inbound.Button{Kind: inbound.ButtonUse, Session: s.ID}}})
	}
	return Message{Parts: markup.Split(markup.Join("\n", lines...)), Rows: append(rows, l.pageRow())}
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
func (l sessionList) pageRow() []card.Button {
	var row []card.Button
	if l.page > 0 {
		row = append(row, card.Button{Label: "◀ " + l.w.Back, Order: inbound.Button{Kind: inbound.ButtonPage, Page: l.page - 1}})
	}
	if l.page+1 < l.pages {
		row = append(row, card.Button{Label: l.w.Next + " ▶", Order: inbound.Button{Kind: inbound.ButtonPage, Page: l.page + 1}})
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

func (l folderList) message() Message {
	lines := []markup.Text{markup.Plain("📁 " + l.w.Sessions.Where)}
	var rows [][]card.Button
	for i, d := range l.directories {
		lines = append(lines, markup.Plain("/new "+markup.Isolate(d)))
		if i < maxFolders {
			label := markup.Shorten("📁 "+markup.OneLine(l.shortName(d)), card.LabelWidth)
			rows = append(rows, []card.Button{{Label: label, Order: inbound.Button{Kind: inbound.ButtonNew, Folder: session.Tag(d)}}})
		}
	}
	return Message{Parts: markup.Split(markup.Join("\n", lines...)), Rows: rows}
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
