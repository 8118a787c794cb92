package letters

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// writer writes text and knows its column.
type writer struct {
	strings.Builder
	stop   int // how far tab stops are from each other; 0: there are none
	from   int // the column that they are counted from
	column int
}

func (w *writer) writeRune(r rune) {
	w.WriteRune(r)
	w.column++
	if r == '\n' {
		w.column = 0
	}
}

func (w *writer) writeText(s string) {
	w.WriteString(s)
	w.column += utf8.RuneCountInString(s)
}

// writeTab writes a sign, which may be empty, and spaces up to the next stop.
func (w *writer) writeTab(sign string) {
	at := w.column - w.from
	w.writeText(sign)
	if w.stop == 0 {
		return
	}
	w.writeText(strings.Repeat(" ", w.stop-((at%w.stop)+w.stop)%w.stop-utf8.RuneCountInString(sign)))
}

func eachRune(s string) iter.Seq[rune] {
	return func(yield func(rune) bool) {
		for _, r := range s {
			if !yield(r) {
				return
			}
		}
	}
}
