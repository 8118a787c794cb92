package console

import (
	"strings"
	"unicode"

	"hermes/internal/letters"
)

// Visible is text of agents and strangers as a terminal may show it: control
// characters, and what changes the direction of text, become visible. Line breaks
// stay; a tab is four spaces. What somebody has to judge is shown by package letters.
func Visible(text string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n") {
		switch {
		case r == '\n':
			b.WriteRune(r)
		case r == '\t':
			b.WriteString("    ")
		case r < 0x20 || steers(r):
			b.WriteString(letters.Shown(r))
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
