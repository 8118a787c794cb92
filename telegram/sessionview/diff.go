package sessionview

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"hermes/internal/inbound"
	"hermes/internal/letters"
	"hermes/internal/patch"
	"hermes/internal/session"
	"hermes/telegram/card"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

const (
	// diffContext is how many unchanged lines are shown around each change.
	diffContext = 3
	// diffInline is how much of all changes is shown at once, some screens of a phone; of more, a list.
	diffInline = 6000
	// diffFileInline is how much of one file is shown that somebody asked for; more is a file.
	diffFileInline = 12000
	// maxDiffButtons is how many files get a button, and maxDiffFiles how many are named.
	maxDiffButtons = 50
	maxDiffFiles   = 200
)

// diffView is what a session changed, file by file.
type diffView struct {
	heading
	files []patch.File
	whole string
	w     words.Table
}

func (v view) diff() diffView {
	return diffView{v.heading, patch.Files(v.Text, diffContext), v.Text, v.w}
}

// message shows all of it, or the list of files with a button for each, and all of it in a file above.
func (v diffView) message() Message {
	head := v.headline("📝")
	if len(v.files) == 0 {
		return textMessage(markup.Join("\n", head, markup.Plain(v.w.Sessions.NoDiff)))
	}
	if len(v.files) == 1 {
		return v.fileMessage(diffInline)
	}
	head = markup.Join("\n", head, v.total())
	parts := []markup.Text{head}
	for _, f := range v.files {
		parts = append(parts, v.fileText(f))
	}
	if all := markup.Join("\n\n", parts...); all.Runes() <= diffInline {
		return textMessage(all)
	}
	return v.list(head)
}

// list names the files, each with a button that shows it.
func (v diffView) list(head markup.Text) Message {
	r, m := v.w.Sessions, Message{File: v.whole, FileName: "changes.diff"}
	lines := []markup.Text{head}
	for i, f := range v.files {
		if i == maxDiffFiles {
			lines = append(lines, markup.Plain(fmt.Sprintf(r.MoreFiles, len(v.files)-i)))
			break
		}
		lines = append(lines, v.fileLine(f))
		if i < maxDiffButtons {
			label := markup.Shorten("📄 "+letters.OneLine(v.shortName(f)), card.LabelWidth)
			m.Rows = append(m.Rows, []card.Button{{Label: label, Order: inbound.Button{Kind: inbound.ButtonDiff, Session: v.session.ID, Tag: f.Tag()}}})
		}
	}
	list := markup.Join("\n", lines...)
	m.Parts = markup.Split(markup.Join("\n\n", list, markup.Plain(r.DiffList)))
	m.WithoutFile = markup.Split(markup.Join("\n\n", list, markup.Plain("❗ "+r.DiffNoFile)))
	return m
}

// fileMessage shows one file, in a file above if it is longer than most.
func (v diffView) fileMessage(most int) Message {
	head := v.headline("📝")
	if len(v.files) == 0 {
		return textMessage(markup.Join("\n", head, markup.Plain(v.w.Sessions.DiffGone)))
	}
	f := v.files[0]
	all := markup.Join("\n", head, v.fileText(f))
	if all.Runes() <= most {
		return textMessage(all)
	}
	begins := markup.Text{{Text: markup.Beginning(letters.Diff(f.Hunks), withoutFileRunes), Code: "diff"}}
	return Message{
		File: v.whole, FileName: "changes.diff", Parts: markup.Split(markup.Join("\n", head, v.fileLine(f), markup.Plain(v.w.Sessions.InFile))),
		WithoutFile: markup.Split(markup.Join("\n", head, v.fileLine(f), begins, markup.Plain("\n❗ "+v.w.Sessions.NoFile))),
	}
}

// total is how much was changed.
func (v diffView) total() markup.Text {
	added, removed := 0, 0
	for _, f := range v.files {
		added, removed = added+f.Added, removed+f.Removed
	}
	return markup.Plain(v.w.Sessions.FileCount(len(v.files)) + lineCount(added, removed))
}

func lineCount(added, removed int) string { return fmt.Sprintf(" +%d −%d", added, removed) }

// fileText is the change of one file.
func (v diffView) fileText(f patch.File) markup.Text {
	if strings.TrimSpace(f.Hunks) == "" {
		return v.fileLine(f)
	}
	var line markup.Text // none of what names no file
	if f.Name != "" {
		line = v.fileLine(f)
	}
	return markup.Join("\n", line, markup.Text{{Text: letters.Diff(strings.TrimSuffix(f.Hunks, "\n")), Code: "diff"}})
}

// fileLine says which file it is, how much was changed, and what else became of it.
func (v diffView) fileLine(f patch.File) markup.Text {
	name := markup.Isolate(letters.OneLine(f.Name))
	if f.Was != "" {
		name = markup.Isolate(letters.OneLine(f.Was)) + " → " + name
	}
	line := markup.Text{{Text: "📄 "}, {Text: name, Bold: true}}
	if f.Added+f.Removed > 0 {
		line = append(line, markup.Span{Text: lineCount(f.Added, f.Removed)})
	}
	r := v.w.Sessions
	for _, is := range []struct {
		is   bool
		text string
	}{{f.New, r.FileNew}, {f.Deleted, r.FileDeleted}, {f.Binary, r.FileBinary}} {
		if is.is {
			line = append(line, markup.Span{Text: " · " + is.text})
		}
	}
	return line
}

// shortName is the file's last part, or the whole name if another has that too.
func (v diffView) shortName(f patch.File) string {
	short := session.Origin{Directory: f.Name}.Project()
	for _, other := range v.files {
		if other.Name != f.Name && (session.Origin{Directory: other.Name}).Project() == short {
			return lastRunes(f.Name, card.LabelWidth-3)
		}
	}
	return short
}

// lastRunes is the end of a name that is too long.
func lastRunes(name string, most int) string {
	if n := utf8.RuneCountInString(name); n > most {
		return "…" + string([]rune(name)[n-most+1:])
	}
	return name
}
