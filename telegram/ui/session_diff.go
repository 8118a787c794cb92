package ui

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"hermes/internal/inbound"
	"hermes/internal/letters"
	"hermes/internal/patch"
	"hermes/internal/session"
	"hermes/telegram/markup"
)

// What a file and its caption may be (Bot API sendDocument).
const (
	maxCaption  = 1024     // UTF-16 units
	maxDocument = 50 << 20 // bytes
)

// diff is what a session changed: a file, whose caption names the files and how much was changed in each.
func (v view) diff() Body {
	head := v.headline("📝")
	if strings.TrimSpace(v.Text) == "" {
		return textMessage(markup.Join("\n", head, markup.Plain(v.w.Sessions.NoDiff)))
	}
	files := patch.Files(v.Text)
	if len(files) > 0 {
		head = markup.Join("\n", head, v.totalOf(files))
	}
	list := v.withFiles(head, files, markup.MaxUnits/2)
	if len(v.Text) > maxDocument {
		return textMessage(markup.Join("\n\n", list, markup.Plain("❗ "+fmt.Sprintf(v.w.Sessions.DiffLarge, megabytes(int64(len(v.Text)))))))
	}
	unfiled := textMessage(markup.Join("\n\n", list, markup.Plain("❗ "+v.w.Sessions.DiffNoFile)))
	return Body{File: v.Text, FileName: "changes.diff", Caption: v.withFiles(head, files, maxCaption).Unmarked(), Unfiled: &unfiled}
}

// withFiles is a text with a line for each file. If that is longer than most, the last of them are counted.
func (v view) withFiles(text markup.Text, files []patch.File, most int) markup.Text {
	for i, f := range files {
		more := markup.Text(nil)
		if left := len(files) - i - 1; left > 0 {
			more = markup.Plain(fmt.Sprintf(v.w.Sessions.MoreFiles, left))
		}
		next := markup.Join("\n", text, v.fileLine(f))
		if markup.Join("\n", next, more).Units() > most {
			return markup.Join("\n", text, markup.Plain(fmt.Sprintf(v.w.Sessions.MoreFiles, len(files)-i)))
		}
		text = next
	}
	return text
}

// totalOf is how much was changed.
func (v view) totalOf(files []patch.File) markup.Text {
	added, removed := 0, 0
	for _, f := range files {
		added, removed = added+f.Added, removed+f.Removed
	}
	return markup.Plain(v.w.Sessions.FileCount(len(files)) + lineCount(added, removed))
}

func lineCount(added, removed int) string { return fmt.Sprintf(" +%d −%d", added, removed) }

// fileLine says which file it is, how much was changed, and what else became of it.
func (v view) fileLine(f patch.File) markup.Text {
	name := markup.Isolate(letters.OneLine(f.Name))
	if f.Was != "" {
		name = markup.Isolate(letters.OneLine(f.Was)) + " → " + name
	}
	line := "📄 " + name
	if f.Added+f.Removed > 0 {
		line += lineCount(f.Added, f.Removed)
	}
	r := v.w.Sessions
	for _, is := range []struct {
		is   bool
		text string
	}{{f.New, r.FileNew}, {f.Deleted, r.FileDeleted}, {f.Binary, r.FileBinary}} {
		if is.is {
			line += " · " + is.text
		}
	}
	return markup.Plain(line)
}

// tooLargeText says that a file is too large, and how large files may be.
func (v view) tooLargeText() string {
	limit := megabytes(session.MaxFiles)
	if v.File.Size > 0 {
		return fmt.Sprintf(v.w.Files.TooLarge, v.fileName(), megabytes(v.File.Size), limit)
	}
	return fmt.Sprintf(v.w.Files.Larger, v.fileName(), limit)
}

// unusableText says what no prompt can have in it.
func (v view) unusableText() string {
	name, ok := v.w.Files.Matters[v.What]
	if !ok {
		name = v.w.Files.Matter
	}
	return fmt.Sprintf(v.w.Files.Unusable, name)
}

// transcript is what is said in a voice message, whole: in messages, or beyond about ten of them
// in a file, as questions behind it wait until it is shown.
func (v view) transcript() Body {
	said := letters.Clean(v.Text)
	whole := textMessage(markup.Plain("🎤 " + said))
	if utf8.RuneCountInString(said) <= LongRunes {
		return whole
	}
	m := textMessage(markup.Plain("🎤 " + v.w.Sessions.InFile))
	m.File, m.FileName, m.Unfiled = said, "voice.txt", &whole // nobody could read it elsewhere
	return m
}

// fileName is what a file is called in a sentence.
func (v view) fileName() string {
	return markup.Isolate(markup.Shorten(markup.OneLine(v.File.Name), 100))
}

// megabytes is a size as people read it, rounded up.
func megabytes(size int64) string {
	const tenth = 1 << 20 / 10.0
	n := int64(math.Ceil(float64(size) / tenth))
	if n%10 == 0 {
		return fmt.Sprintf("%d MB", n/10)
	}
	return fmt.Sprintf("%d.%d MB", n/10, n%10)
}

// saidAnswer asks who spoke whether what was heard is their answer.
func (v view) saidAnswer() Body {
	m := v.transcript()
	v.askIfSaid(&m)
	if m.Unfiled != nil {
		v.askIfSaid(m.Unfiled)
	}
	return m
}

func (v view) askIfSaid(m *Body) {
	last := len(m.Parts) - 1
	if asked := markup.Join("\n\n", m.Parts[last], markup.Plain(v.w.Files.IsItSaid)); asked.Units() <= markup.MaxUnits {
		m.Parts[last] = asked
	} else {
		m.Parts = append(m.Parts, markup.Plain(v.w.Files.IsItSaid))
	}
	m.Rows = [][]Button{{
		{Label: "✅ " + v.w.Send, Order: inbound.Button{Kind: inbound.ButtonSay}},
		{Label: "✏️ " + v.w.Files.TypeInstead, Order: inbound.Button{Kind: inbound.ButtonUnsay}},
	}}
}
