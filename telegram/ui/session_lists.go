package ui

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// SessionPage is one page of the sessions, with a button for each to use it.
type SessionPage struct {
	Listed []remote.ListedSession
	Number int // from 0
	Pages  int
}

const (
	// pageSize is how many sessions are on a page.
	pageSize = 8
	// wordsShown is how much is shown of a session's last words.
	wordsShown = 100
)

// Text lists them.
func (p SessionPage) Text() Text {
	return func(r Reader) Body {
		w := r.Words.Sessions
		if len(p.Listed) == 0 {
			return textMessage(markup.Plain("📂 " + w.NoSessions))
		}
		head := markup.Plain("📂 " + w.Sessions)
		if p.Pages > 1 {
			head = markup.Plain("📂 " + w.Sessions + " · " + fmt.Sprintf(r.Words.OfItems, p.Number+1, p.Pages))
		}
		lines := []markup.Text{head}
		var rows [][]Button
		for i, s := range p.Listed {
			n := p.Number*pageSize + i + 1
			lines = append(lines, listEntry(n, s, r))
			label := markup.Shorten(strconv.Itoa(n)+". "+markup.OneLine(titleOf(s.Session, r.Words)), LabelWidth)
			rows = append(rows, []Button{{Label: label, Order: inbound.Button{Kind: inbound.ButtonUse, Session: s.ID}}})
		}
		rows = append(rows, pageRow(p.Number, p.Pages, inbound.Button{Kind: inbound.ButtonPage}, r.Words))
		return Body{Parts: markup.Split(markup.Join("\n", lines...)), Rows: rows}
	}
}

// listEntry is a session in two lines.
func listEntry(n int, s remote.ListedSession, r Reader) markup.Text {
	w := r.Words.Sessions
	project := projectName(s.Session)
	if s.Long {
		project = markup.OneLine(session.Origin{Directory: s.Directory}.LongProject())
	}
	name := strconv.Itoa(n) + ". " + markup.Isolate(project) + " · " + markup.Isolate(titleOf(s.Session, r.Words))
	state := w.IsIdle
	switch {
	case s.Waits:
		state = w.WaitsForYou
	case s.Busy:
		state = w.Works
	}
	line := markup.Plain(name + "\n    " + stateSign(s) + " " + state)
	if s.Updated.After(time.Unix(0, 0)) {
		line = markup.Join(" · ", line, markup.Clock(s.Updated, r.Now))
	}
	if s.Chosen {
		line = markup.Join(" · ", line, markup.Plain(w.InUse))
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

func titleOf(s session.Session, w words.Table) string {
	if s.Title == "" {
		return w.Sessions.Untitled
	}
	return s.Title
}

// maxFolders is how many directories get a button; all are in the text.
const maxFolders = 50

// FolderList is the directories for a new session, with a button for each.
func FolderList(directories []string) Text {
	return func(r Reader) Body {
		lines := []markup.Text{markup.Plain("📁 " + r.Words.Sessions.Where)}
		var rows [][]Button
		for i, d := range directories {
			lines = append(lines, markup.Plain("/new "+markup.Isolate(d)))
			if i < maxFolders {
				label := markup.Shorten("📁 "+markup.OneLine(shortName(d, directories)), LabelWidth)
				rows = append(rows, []Button{{Label: label, Order: inbound.Button{Kind: inbound.ButtonNew, Folder: session.Tag(d)}}})
			}
		}
		return Body{Parts: markup.Split(markup.Join("\n", lines...)), Rows: rows}
	}
}

// shortName is a directory's short name, or a longer one if another has that too.
func shortName(directory string, all []string) string {
	o := session.Origin{Directory: directory}
	for _, other := range all {
		if other != directory && (session.Origin{Directory: other}).Project() == o.Project() {
			return o.LongProject()
		}
	}
	return o.Project()
}

// sessionHeadline is the first line: a sign, the project, and the session's title.
func sessionHeadline(s session.Session, sign string) markup.Text {
	line := markup.Text{{Text: sign + " "}, {Text: markup.Isolate(markup.Shorten(projectName(s), 100)), Bold: true}}
	if s.Title != "" {
		line = append(line, markup.Span{Text: " · " + markup.Isolate(markup.Shorten(markup.OneLine(s.Title), 200))})
	}
	return line
}

// sessionName names the session at the end of a sentence, as far as it is known.
func sessionName(s session.Session) markup.Text {
	var parts []string
	for _, name := range []string{projectName(s), markup.OneLine(s.Title)} {
		if name != "" {
			parts = append(parts, markup.Isolate(markup.Shorten(name, 200)))
		}
	}
	return markup.Plain(strings.Join(parts, " · "))
}

func projectName(s session.Session) string {
	return markup.OneLine(session.Origin{Directory: s.Directory}.Project())
}

// Waiting lists what waits for a person in a chat.
func Waiting(asks []question.Thread) Text {
	return func(r Reader) Body {
		if len(asks) == 0 {
			return textMessage(markup.Plain("💤 " + r.Words.Sessions.NoneWaits))
		}
		lines := []markup.Text{markup.Plain("❓ " + r.Words.Sessions.WaitForYou)}
		for _, t := range asks {
			line := NameOf(t, r.Words)
			for _, name := range []string{markup.OneLine(t.Project), markup.OneLine(t.Place.Title)} {
				if name != "" {
					line += " · " + markup.Isolate(markup.Shorten(name, 200))
				}
			}
			lines = append(lines, markup.Plain("· "+line))
		}
		return textMessage(markup.Join("\n", lines...))
	}
}

// Status is how the session in use, the chat, and the ways to OpenCode stand.
type Status struct {
	Session  session.Session // that is in use, and can be reached; zero: there is none
	Turn     session.Turn    // its last
	Settings remote.ChatSettings
	After    time.Duration     // how long a turn must run for remote.LevelTurns
	Asks     []question.Thread // that wait for a person
	Owed     int               // prompts that were not sent yet
	Found    int               // OpenCode instances that can be reached
	Machines []remote.Machine  // of the person who asks, in their private chat
}

// Text says it.
func (v Status) Text() Text {
	return func(r Reader) Body {
		w := r.Words.Sessions
		lines := []markup.Text{markup.Plain("ℹ️ " + w.NoneInUse)}
		switch {
		case v.Session.ID != "":
			state := w.IsIdle
			if v.Session.Busy {
				state = w.Works
			}
			lines = []markup.Text{sessionHeadline(v.Session, "ℹ️"), markup.Plain(state)}
			if dir := markup.OneLine(v.Session.Directory); dir != "" {
				lines = append(lines, markup.Plain(fmt.Sprintf(r.Words.Permission.In, markup.Isolate(markup.Shorten(dir, 200)))))
			}
			lines = append(lines, v.worksWith(r.Words))
			turn := turnView{session: v.Session, turn: v.Turn, w: r.Words}
			if numbers := markup.Join(" · ", turn.numbers()...); !numbers.Empty() {
				lines = append(lines, markup.Phrase(w.LastTurn, numbers))
			}
		case v.Settings.Session != "":
			lines = []markup.Text{markup.Plain("ℹ️ " + fmt.Sprintf(w.NotReached, markup.Isolate(markup.Shorten(markup.OneLine(v.Settings.Title), 200))))}
		}
		if len(v.Asks) > 0 {
			lines = append(lines, markup.Plain(fmt.Sprintf(w.WaitNames, askNames(v.Asks, r.Words))))
		}
		if v.Owed > 0 {
			lines = append(lines, markup.Plain(fmt.Sprintf(w.Owed, v.Owed)))
		}
		reached := markup.Plain(fmt.Sprintf(w.Reached, v.Found))
		if v.Found == 0 {
			reached = markup.Plain(w.Offline)
		}
		lines = append(lines, levelLine(v.Settings, v.After, r.Words), muteLine(v.Settings, r), reached, machineLines(v.Machines, r))
		m := textMessage(markup.Join("\n", lines...))
		m.Rows = unlinkRows(v.Machines, r.Words)
		return m
	}
}

// worksWith are the agent and the model that the session is prompted with: what the chat has set for it, else what it used last.
func (v Status) worksWith(w words.Table) markup.Text {
	settings := v.Settings
	if settings.Session != v.Session.ID {
		settings = remote.ChatSettings{}
	}
	var names []string
	for _, name := range []string{cmp.Or(settings.Agent, v.Turn.Agent), cmp.Or(modelName(settings.Model), modelName(v.Turn.Model))} {
		if name != "" {
			names = append(names, markup.Isolate(markup.Shorten(markup.OneLine(name), 100)))
		}
	}
	if len(names) == 0 {
		return nil
	}
	return markup.Plain(fmt.Sprintf(w.Sessions.WorksWith, strings.Join(names, " · ")))
}

// machineLines lists a person's machines, each with what is linked there and what waits; nothing for none.
func machineLines(machines []remote.Machine, r Reader) markup.Text {
	if len(machines) == 0 {
		return nil
	}
	lines := []markup.Text{markup.Plain("🖥 " + r.Words.Machines.Yours)}
	for _, m := range machines {
		lines = append(lines, machineLine(m, r))
	}
	return markup.Join("\n", lines...)
}

func machineLine(m remote.Machine, r Reader) markup.Text {
	w := r.Words.Machines
	parts := []markup.Text{markup.Plain("· " + theirs(m.Name))}
	if m.Host != "" && m.Host != m.Name {
		parts = append(parts, markup.Plain(theirs(m.Host)))
	}
	for _, c := range m.Linked {
		parts = append(parts, markup.Plain(linkedText(c, w)))
	}
	switch {
	case len(m.Linked) > 0:
	case m.Seen.IsZero():
		parts = append(parts, markup.Plain(w.NeverSeen))
	default:
		parts = append(parts, markup.Phrase(w.LastSeen, markup.Clock(m.Seen, r.Now)))
	}
	if m.Waiting > 0 {
		parts = append(parts, markup.Plain(fmt.Sprintf(w.Waiting, m.Waiting)))
	}
	return markup.Join(" · ", parts...)
}

// linkedText names an OpenCode, and what links it.
func linkedText(c remote.Linked, w words.Machines) string {
	format := w.ByPlugin
	if c.Process {
		format = w.ByProcess
	}
	text := fmt.Sprintf(format, theirs(cmp.Or(c.OpenCode, "?")), theirs(cmp.Or(c.By, "?")), c.Protocol)
	if c.Refused {
		text += " · " + w.Refused
	}
	return text
}

// theirs is a word that a machine says of itself.
func theirs(s string) string {
	return markup.Isolate(markup.Shorten(strings.TrimSpace(markup.OneLine(s)), 63))
}

// Help says what there is to write. links: people can link machines of theirs with /link.
func Help(links bool) Text {
	return func(r Reader) Body {
		text := r.Words.Sessions.Help
		if links {
			text += "\n" + r.Words.Machines.Help
		}
		return textMessage(markup.Plain(text))
	}
}

// maxUnlinks bounds the buttons below a list of machines.
const maxUnlinks = 20

// unlinkRows are the buttons that ask whether a machine's link shall be revoked.
func unlinkRows(machines []remote.Machine, w words.Table) (rows [][]Button) {
	for _, m := range machines[:min(len(machines), maxUnlinks)] {
		rows = append(rows, []Button{{
			Label: "🗑 " + fmt.Sprintf(w.Machines.Unlink, theirs(m.Name)), Order: inbound.Button{Kind: inbound.ButtonUnlinks, Tag: session.ShortTag(m.Link)},
		}})
	}
	return rows
}

// UnlinkAsk asks whether the link of a machine shall be revoked.
func UnlinkAsk(of remote.Machine, at time.Time) Text {
	return func(r Reader) Body {
		w, tag := r.Words.Machines, session.ShortTag(of.Link)
		m := textMessage(markup.Plain("🗑 " + fmt.Sprintf(w.UnlinkAsk, theirs(of.Name))))
		m.Rows = [][]Button{{
			{Label: "🗑 " + w.DoUnlink, Order: inbound.Button{Kind: inbound.ButtonUnlink, Tag: tag, At: at}, Style: StyleDanger},
			{Label: w.Keep, Order: inbound.Button{Kind: inbound.ButtonLinked, Tag: tag}},
		}}
		return m
	}
}

// Unlinked says that the link of a machine was revoked.
func Unlinked(m remote.Machine) Line {
	return line("🗑", func(w words.Table) string { return fmt.Sprintf(w.Machines.Unlinked, theirs(m.Name)) })
}

// StaysLinked says that the link of a machine stays.
func StaysLinked(m remote.Machine) Line {
	return line("🖥", func(w words.Table) string { return fmt.Sprintf(w.Machines.Stays, theirs(m.Name)) })
}

// NoSuchLink says that a link is not the person's, or was revoked.
func NoSuchLink() Line { return line("🗑", func(w words.Table) string { return w.Machines.NoLink }) }
