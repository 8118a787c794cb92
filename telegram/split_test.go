package telegram

import (
	"strings"
	"testing"
	"unicode/utf8"

	"hermes/internal/letters"
)

func rejoined(parts []rich) string {
	var b strings.Builder
	for i, part := range parts {
		text := part.plain()
		if i > 0 {
			text = strings.TrimPrefix(text, more)
		}
		b.WriteString(text)
	}
	return b.String()
}

func TestSplitPrefersParagraphsLinesAndWords(t *testing.T) {
	for name, sep := range map[string]string{"paragraph": "\n\n", "line": "\n", "word": " "} {
		text := strings.Repeat("x", 3000) + sep + strings.Repeat("y", 2000)
		parts := split(plain(text))
		if len(parts) != 2 || parts[0].plain() != strings.Repeat("x", 3000)+sep || rejoined(parts) != text {
			t.Errorf("%s: %d parts, the first of %d", name, len(parts), parts[0].runes())
		}
	}
}

func TestSplitKeepsLettersWhole(t *testing.T) {
	family := "👨\u200D👩\u200D👧"
	for shift := range 5 {
		text := strings.Repeat("x", shift) + strings.Repeat(family, 1000)
		for i, part := range split(plain(text)) {
			last, _ := utf8.DecodeLastRuneInString(part.plain())
			first, _ := utf8.DecodeRuneInString(strings.TrimPrefix(part.plain(), more))
			if i > 0 && first == 0x200D || part.runes() == maxRunes && last == 0x200D {
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
		whole := rich{{text: "head "}, {text: strings.Repeat(unit, int(times)), bold: strong}, {text: " tail"}}
		parts := split(whole)
		if rejoined(parts) != whole.plain() {
			t.Fatal("text was lost")
		}
		for _, part := range parts {
			if part.runes() > maxRunes || len(part.html()) > 32768 {
				t.Fatalf("a part of %d code points, %d bytes", part.runes(), len(part.html()))
			}
		}
	})
}
