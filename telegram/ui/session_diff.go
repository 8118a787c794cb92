package ui

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/letters"
	"hermes/internal/patch"
	"hermes/internal/session"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// What a file and its caption may be (Bot API sendDocument).
const (
	maxCaption  = 1024     // UTF-16 units
	maxDocument = 50 << 20 // bytes
)

// Diff is what a session changed: a file, whose caption names the files and how much was changed in each.
func Diff(s session.Session, diff string) Text {
	return func(r Reader) Body {
		w, head := r.Words.Sessions, sessionHeadline(s, "📝")
		if strings.TrimSpace(diff) == "" {
			return textMessage(markup.Join("\n", head, markup.Plain(w.NoDiff)))
		}
		files := patch.Files(diff)
		if len(files) > 0 {
			head = markup.Join("\n", head, totalOf(files, r.Words))
		}
		list := withFiles(head, files, markup.MaxUnits/2, r.Words)
		if len(diff) > maxDocument {
			return textMessage(markup.Join("\n\n", list, markup.Plain("❗ "+fmt.Sprintf(w.DiffLarge, megabytes(int64(len(diff)))))))
		}
		unfiled := textMessage(markup.Join("\n\n", list, markup.Plain("❗ "+w.DiffNoFile)))
		return Body{File: diff, FileName: "changes.diff", Caption: withFiles(head, files, maxCaption, r.Words).Unmarked(), Unfiled: &unfiled}
	}
}

// withFiles is a text with a line for each file. If that is longer than most, the last of them are counted.
func withFiles(text markup.Text, files []patch.File, most int, w words.Table) markup.Text {
	for i, f := range files {
		more := markup.Text(nil)
		if left := len(files) - i - 1; left > 0 {
			more = markup.Plain(fmt.Sprintf(w.Sessions.MoreFiles, left))
		}
		next := markup.Join("\n", text, fileLine(f, w))
		if markup.Join("\n", next, more).Units() > most {
			return markup.Join("\n", text, markup.Plain(fmt.Sprintf(w.Sessions.MoreFiles, len(files)-i)))
		}
		text = next
	}
	return text
}

// totalOf is how much was changed.
func totalOf(files []patch.File, w words.Table) markup.Text {
	added, removed := 0, 0
	for _, f := range files {
		added, removed = added+f.Added, removed+f.Removed
	}
	return markup.Plain(w.Sessions.FileCount(len(files)) + lineCount(added, removed))
}

func lineCount(added, removed int) string { return fmt.Sprintf(" +%d −%d", added, removed) }

// fileLine says which file it is, how much was changed, and what else became of it.
func fileLine(f patch.File, w words.Table) markup.Text {
	name := markup.Isolate(letters.OneLine(f.Name))
	if f.Was != "" {
		name = markup.Isolate(letters.OneLine(f.Was)) + " → " + name
	}
	line := "📄 " + name
	if f.Added+f.Removed > 0 {
		line += lineCount(f.Added, f.Removed)
	}
	r := w.Sessions
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
func tooLargeText(f chat.File, w words.Table) string {
	limit := megabytes(session.MaxFiles)
	if f.Size > 0 {
		return fmt.Sprintf(w.Files.TooLarge, fileName(f), megabytes(f.Size), limit)
	}
	return fmt.Sprintf(w.Files.Larger, fileName(f), limit)
}

// Heard is what is said in a voice message, whole: in messages, or beyond about ten of them
// in a file, as questions behind it wait until it is shown.
func Heard(text string) Text {
	return func(r Reader) Body {
		said := letters.Clean(text)
		whole := textMessage(markup.Plain("🎤 " + said))
		if utf8.RuneCountInString(said) <= LongRunes {
			return whole
		}
		m := textMessage(markup.Plain("🎤 " + r.Words.Sessions.InFile))
		m.File, m.FileName, m.Unfiled = said, "voice.txt", &whole // nobody could read it elsewhere
		return m
	}
}

// fileName is what a file is called in a sentence.
func fileName(f chat.File) string {
	return markup.Isolate(markup.Shorten(markup.OneLine(f.Name), 100))
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

// HeardAnswer asks who spoke whether what was heard is their answer.
func HeardAnswer(text string) Text {
	return func(r Reader) Body {
		m := Heard(text)(r)
		askIfSaid(&m, r.Words)
		if m.Unfiled != nil {
			askIfSaid(m.Unfiled, r.Words)
		}
		return m
	}
}

func askIfSaid(m *Body, w words.Table) {
	last := len(m.Parts) - 1
	if asked := markup.Join("\n\n", m.Parts[last], markup.Plain(w.Files.IsItSaid)); asked.Units() <= markup.MaxUnits {
		m.Parts[last] = asked
	} else {
		m.Parts = append(m.Parts, markup.Plain(w.Files.IsItSaid))
	}
	m.Rows = [][]Button{{
		{Label: "✅ " + w.Send, Order: inbound.Button{Kind: inbound.ButtonSay}},
		{Label: "✏️ " + w.Files.TypeInstead, Order: inbound.Button{Kind: inbound.ButtonUnsay}},
	}}
}

// TypedInstead says that what was heard is no answer, and that who spoke can type one.
func TypedInstead() Line { return line("✏️", func(w words.Table) string { return w.Files.Unsaid }) }
