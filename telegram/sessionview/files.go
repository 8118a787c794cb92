package sessionview

import (
	"fmt"
	"math"
	"unicode/utf8"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/card"
	"hermes/telegram/markup"
)

// ofFiles says why what a person sent beside text is not with the agent.
func (p teller) ofFiles() markup.Text {
	f, limit := p.w.Files, megabytes(question.MaxFiles)
	switch {
	case p.Kind == question.TellTooLarge && p.File.Size > 0:
		return markup.Plain("⚠️ " + fmt.Sprintf(f.TooLarge, p.fileName(), megabytes(p.File.Size), limit))
	case p.Kind == question.TellTooLarge:
		return markup.Plain("⚠️ " + fmt.Sprintf(f.Larger, p.fileName(), limit))
	case p.Kind == question.TellFileGone:
		return markup.Plain("⚠️ " + fmt.Sprintf(f.Gone, p.fileName()))
	case p.Kind == question.TellNoFile:
		return markup.Plain("⚠️ " + fmt.Sprintf(f.NoFile, markup.Isolate(p.Text)))
	case p.Kind == question.TellSilent:
		return markup.Plain("⚠️ " + f.Silent)
	case p.Kind == question.TellUnheard:
		return markup.Plain("⚠️ " + f.Unheard)
	case p.Kind == question.TellDeaf:
		return markup.Plain("⚠️ " + f.Deaf)
	case p.Kind == question.TellFetching:
		return markup.Join(" · ", markup.Plain("📡 "+fmt.Sprintf(f.Fetching, p.fileName())), p.where())
	}
	name, ok := f.Matters[p.What]
	if !ok {
		name = f.Matter
	}
	return markup.Plain("⚠️ " + fmt.Sprintf(f.Unusable, name))
}

// heard is what is said in a voice message, whole: in messages, or beyond about ten of them
// in a file, as questions behind it wait until it is shown.
func (p teller) heard() Message {
	t, words := Message{}, letters.Clean(p.Text)
	if utf8.RuneCountInString(words) > card.LongRunes {
		t.File, t.FileName, t.WithoutFile = words, "voice.txt", markup.Split(markup.Plain("🎤 "+words)) // nobody could read it elsewhere
		words = p.w.Sessions.InFile
	}
	t.Parts = markup.Split(markup.Plain("🎤 " + words))
	return t
}

// fileName is what a file is called in a sentence.
func (p teller) fileName() string {
	return markup.Isolate(markup.Shorten(markup.OneLine(p.File.Name), 100))
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
