package letters

import (
	"strconv"
	"strings"
	"unicode"
)

// Escaped makes text of strangers harmless on a terminal: control characters, what changes the direction of text or hides, and
// spaces but the common one are spelled out (\u202e). A backslash stays one.
func Escaped(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRuneToASCII(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

// ForTerminal is text of agents and strangers as a terminal may show it: control
// characters, and what changes the direction of text, become visible. Line breaks
// stay; a tab is four spaces. What somebody has to judge is for [Exposed].
func ForTerminal(text string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n") {
		switch {
		case r == '\n':
			b.WriteRune(r)
		case r == '\t':
			b.WriteString("    ")
		case r < 0x20 || steersTerminal(r):
			b.WriteString(Sign(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// steersTerminal reports whether the rune is for a terminal, or moves the text around it. What
// joins letters or picks how they look (Unicode: ZWNJ, ZWJ, variation selectors) does not.
func steersTerminal(r rune) bool {
	return r != 0x200C && r != 0x200D && !unicode.IsGraphic(r) || r == 0x2028 || r == 0x2029
}
