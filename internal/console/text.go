package console

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks text at spaces into lines of at most width characters; a longer
// word keeps a line of its own, and a line that fits keeps its spaces. The result
// ends with a newline.
func Wrap(text, first, rest string, width int) string {
	var b strings.Builder
	start := first
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(wrapLine(line, start, rest, width))
		start = rest
	}
	return b.String()
}

func wrapLine(text, first, rest string, width int) string {
	if utf8.RuneCountInString(first+text) <= width {
		return strings.TrimRight(first+text, " ") + "\n"
	}
	indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
	line, empty := first+indent, true
	var b strings.Builder
	for word := range strings.FieldsSeq(text) {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			b.WriteString(line + "\n")
			line, empty = rest+indent, true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	return b.String() + strings.TrimRight(line, " ") + "\n"
}
