package markup

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"hermes/internal/letters"
)

// OneLine is clean text without line breaks, for headers, labels and names.
func OneLine(s string) string {
	return strings.Join(strings.Fields(letters.Clean(s)), " ")
}

// Isolate is one line of clean text that cannot change the order of the words
// beside it: text with letters that are written from right to left is put
// between FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE.
func Isolate(s string) string {
	s = OneLine(s)
	if strings.ContainsFunc(s, rightToLeft) {
		return "\u2068" + s + "\u2069"
	}
	return s
}

func rightToLeft(r rune) bool {
	return r >= 0x0590 && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam) ||
		r == 0x200F || r == 0x061C
}

// Shorten cuts one line of text to a width on screen and marks the cut. Wide
// letters, such as Chinese ones, count twice.
func Shorten(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	used, end := 0, 0
	for i, r := range s {
		if used+runeWidth(r) > width-1 {
			break
		}
		used, end = used+runeWidth(r), i+len(string(r))
	}
	return strings.TrimRight(s[:end], " \u200D\uFE0F") + "…"
}

// Width is how wide text is on screen: wide letters count twice, and marks on letters not at all.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana), r >= 0x1F300, r >= 0xFF01 && r <= 0xFF60:
		return 2
	}
	return 1
}

// Longer reports whether a text has more than n code points.
func Longer(s string, n int) bool { return utf8.RuneCountInString(s) > n }

// Beginning is the first n code points of a text, with the cut marked.
func Beginning(s string, n int) string {
	if Longer(s, n) {
		return string([]rune(s)[:n]) + "…"
	}
	return s
}

// Ending is the end of a text, n UTF-16 units of it, from the start of a line where one begins
// soon, and says that there is more before.
func Ending(text string, n int) string {
	if Units(text) <= n {
		return text
	}
	text = LastUnits(text, n-utf8.RuneCountInString(More))
	if line := strings.IndexByte(text, '\n'); line >= 0 && line < 400 && strings.TrimSpace(text[line:]) != "" {
		text = text[line+1:]
	}
	return More + text
}

// LastUnits is the end of a text, at most n UTF-16 units of it.
func LastUnits(text string, n int) string {
	for over := Units(text) - n; over > 0; {
		r, size := utf8.DecodeRuneInString(text)
		text, over = text[size:], over-utf16.RuneLen(r)
	}
	return text
}
