package telegram

import (
	"strings"
	"unicode"

	"hermes/internal/letters"
)

// oneLine is clean text without line breaks, for headers, labels and names.
func oneLine(s string) string {
	return strings.Join(strings.Fields(letters.Clean(s)), " ")
}

// apart is one line of clean text that cannot change the order of the words
// beside it: text with letters that are written from right to left is put
// between FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE.
func apart(s string) string {
	s = oneLine(s)
	if strings.ContainsFunc(s, rightToLeft) {
		return "\u2068" + s + "\u2069"
	}
	return s
}

func rightToLeft(r rune) bool {
	return r >= 0x0590 && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam) ||
		r == 0x200F || r == 0x061C
}

// shorten cuts one line of text to a width on screen and marks the cut. Wide
// letters, such as Chinese ones, count twice.
func shorten(s string, width int) string {
	if widthOf(s) <= width {
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

func widthOf(s string) int {
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
