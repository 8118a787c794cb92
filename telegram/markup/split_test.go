package markup_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"hermes/internal/letters"
	"hermes/telegram/markup"
)

func rejoined(parts []markup.Text) string {
	var b strings.Builder
	for i, part := range parts {
		text := part.String()
		if i > 0 {
			text = strings.TrimPrefix(text, markup.More)
		}
		b.WriteString(text)
	}
	return b.String()
}

func TestSplit_PrefersParagraphsLinesAndWords(t *testing.T) {
	for name, sep := range map[string]string{"paragraph": "\n\n", "line": "\n", "word": " "} {
		text := strings.Repeat("x", 3000) + sep + strings.Repeat("y", 2000)
		parts := markup.Split(markup.Plain(text))
		if len(parts) != 2 || parts[0].String() != strings.Repeat("x", 3000)+sep || rejoined(parts) != text {
			t.Errorf("%s: %d parts, the first of %d", name, len(parts), parts[0].Runes())
		}
	}
}

func TestSplit_KeepsLettersWhole(t *testing.T) {
	family := "👨\u200D👩\u200D👧"
	for shift := range 5 {
		text := strings.Repeat("x", shift) + strings.Repeat(family, 1000)
		for i, part := range markup.Split(markup.Plain(text)) {
			last, _ := utf8.DecodeLastRuneInString(part.String())
			first, _ := utf8.DecodeRuneInString(strings.TrimPrefix(part.String(), markup.More))
			if i > 0 && first == 0x200D || part.Runes() == markup.MaxRunes && last == 0x200D {
				t.Errorf("shift %d: part %d tears an emoji", shift, i)
			}
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("a <b> & c", uint16(5000), true)
	f.Add("word \n", uint16(3000), false)
	f.Add("é\u0301", uint16(5000), true)
	f.Fuzz(func(t *testing.T, unit string, times uint16, strong bool) {
		unit = letters.Clean(unit)
		if unit == "" || len(unit)*int(times) > 1<<20 {
			return
		}
		whole := markup.Text{{Text: "head "}, {Text: strings.Repeat(unit, int(times)), Bold: strong}, {Text: " tail"}}
		parts := markup.Split(whole)
		if rejoined(parts) != whole.String() {
			t.Fatal("text was lost")
		}
		for _, part := range parts {
			if part.Runes() > markup.MaxRunes || len(part.HTML()) > 32768 {
				t.Fatalf("a part of %d code points, %d bytes", part.Runes(), len(part.HTML()))
			}
		}
	})
}
