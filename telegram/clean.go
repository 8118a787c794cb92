package telegram

import (
	"fmt"
	"strings"
	"unicode"
)

// clean makes text from elsewhere harmless and loses nothing of it: what
// Telegram's server would drop without a word (TDLib clean_input_string), and
// what changes the direction of text around it, is made visible.
func clean(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	if !strings.ContainsFunc(s, odd) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		b.WriteString(visible(r))
	}
	return b.String()
}

// odd reports whether the rune is not shown as it is.
func odd(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20 || r == 0x7F:
		return true
	case r >= 0x80 && r < 0xA0, r >= 0x2028 && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return r >= 0xFFF9 && r <= 0xFFFB || r == 0xFEFF
}

func visible(r rune) string {
	switch {
	case !odd(r):
		return string(r)
	case r < 0x20:
		return string(0x2400 + r) // ␀ and its like
	case r == 0x7F:
		return "␡"
	}
	return fmt.Sprintf("[U+%04X]", r)
}

// exposed is text that somebody has to judge, letter by letter: clean text in which
// nothing else is invisible either, nor a space that is none. Line breaks and tabs
// stay.
func exposed(s string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		if hidden(r) {
			fmt.Fprintf(&b, "[U+%04X]", r)
			continue
		}
		b.WriteString(visible(r))
	}
	return b.String()
}

// hidden reports whether a rune shows nothing of itself (Unicode: format characters,
// variation selectors, fillers, and all spaces but the common one).
func hidden(r rune) bool {
	switch r {
	case ' ':
		return false
	case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0:
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Zs, unicode.Variation_Selector)
}

// onOneLine is exposed text with its line breaks made visible as well.
func onOneLine(s string) string {
	return strings.NewReplacer("\n", "␤", "\t", "␉").Replace(exposed(s))
}

// oneLine is clean text without line breaks, for headers, labels and names.
func oneLine(s string) string {
	return strings.Join(strings.Fields(clean(s)), " ")
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
