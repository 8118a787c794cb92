package main

import (
	"fmt"
	"strings"
	"unicode"
)

// onTerminal is text of agents and strangers as a terminal may show it: control
// characters, and what changes the direction of text, become visible. Line breaks
// stay; a tab is four spaces.
func onTerminal(text string) string { return visibly(text, steers) }

// exposed is text that somebody has to judge, letter by letter: as onTerminal, and
// nothing else is invisible either, nor a space that is none.
func exposed(text string) string { return visibly(text, hides) }

// onOneLine is exposed text with its line breaks visible as well.
func onOneLine(text string) string { return strings.ReplaceAll(exposed(text), "\n", "␤") }

func visibly(text string, odd func(rune) bool) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n") {
		switch {
		case r == '\n':
			b.WriteRune(r)
		case r == '\t':
			b.WriteString("    ")
		case r < 0x20:
			b.WriteRune(0x2400 + r) // ␀ and its like
		case odd(r):
			fmt.Fprintf(&b, "[U+%04X]", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// steers reports whether the rune is for a terminal, or moves the text around it. What
// joins letters or picks how they look (Unicode: ZWNJ, ZWJ, variation selectors) does not.
func steers(r rune) bool {
	return r != 0x200C && r != 0x200D && !unicode.IsGraphic(r) || r == 0x2028 || r == 0x2029
}

// hides reports whether the rune shows nothing of itself (Unicode: format characters,
// variation selectors, fillers, and all spaces but the common one).
func hides(r rune) bool {
	switch r {
	case ' ':
		return false
	case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0:
		return true
	}
	return !unicode.IsGraphic(r) || unicode.In(r, unicode.Zs, unicode.Variation_Selector)
}
