package sessionview

import (
	"fmt"
	"math"
	"unicode/utf8"

	"hermes/internal/inbound"
	"hermes/internal/letters"
	"hermes/internal/session"
	"hermes/telegram/card"
	"hermes/telegram/markup"
)

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
func (v view) transcript() Message {
	m, said := Message{}, letters.Clean(v.Text)
	if utf8.RuneCountInString(said) > card.LongRunes {
		m.File, m.FileName, m.WithoutFile = said, "voice.txt", markup.Split(markup.Plain("🎤 "+said)) // nobody could read it elsewhere
		said = v.w.Sessions.InFile
	}
	m.Parts = markup.Split(markup.Plain("🎤 " + said))
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
func (v view) saidAnswer() Message {
	m := v.transcript()
	last := len(m.Parts) - 1
	if asked := markup.Join("\n\n", m.Parts[last], markup.Plain(v.w.Files.IsItSaid)); asked.Runes() <= markup.MaxRunes {
		m.Parts[last] = asked
	} else {
		m.Parts = append(m.Parts, markup.Plain(v.w.Files.IsItSaid))
	}
	m.Rows = [][]card.Button{{
		{Label: "✅ " + v.w.Send, Order: inbound.Button{Kind: inbound.ButtonSay}},
		{Label: "✏️ " + v.w.Files.TypeInstead, Order: inbound.Button{Kind: inbound.ButtonUnsay}},
	}}
	return m
}
