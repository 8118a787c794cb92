package telegram

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What one message holds: code points after parsing, and bytes before (Bot API
// sendMessage; the server refuses more than 32768 bytes).
const (
	maxRunes = 4096
	maxBytes = 32000
)

// more begins every message that continues another.
const more = "…\n"

// split cuts text into messages, at a paragraph, a line or a word where it can.
// Nothing is left out: the pieces joined, without the marks of continuation, are
// the text.
func split(r rich) []rich {
	var parts []rich
	for {
		fit := r.fit()
		if fit >= r.runes() {
			return append(parts, r)
		}
		head, tail := r.cut(r.breakAt(fit))
		parts = append(parts, head)
		r = append(plain(more), tail...)
	}
}

// fit is how many code points of the text go into one message.
func (r rich) fit() int {
	runes, bytes := 0, 0
	for _, s := range r {
		bytes += len(s.html()) - len(escape(s.text))
		for _, c := range s.text {
			bytes += escapedLen(c)
			if runes == maxRunes || bytes > maxBytes {
				return runes
			}
			runes++
		}
	}
	return runes
}

// breakAt finds the best place at or before limit, in code points: behind the
// last empty line, line end or space in the second half of what fits. It never
// parts a letter from the marks on it.
func (r rich) breakAt(limit int) int {
	text := []rune(r.plain())
	window := string(text[limit/2 : limit])
	for _, sep := range []string{"\n\n", "\n", " "} {
		if at := strings.LastIndex(window, sep); at >= 0 {
			return limit/2 + utf8.RuneCountInString(window[:at+len(sep)])
		}
	}
	for at := limit; at > limit/2; at-- {
		if !joins(text[at-1], text[at]) {
			return at
		}
	}
	return limit
}

// joins reports whether two runes are seen as one.
func joins(a, b rune) bool {
	return a == 0x200D || b == 0x200D || unicode.In(b, unicode.Mn, unicode.Me, unicode.Mc, unicode.Variation_Selector) ||
		b >= 0x1F3FB && b <= 0x1F3FF
}

// cut parts the text after n code points.
func (r rich) cut(n int) (head, tail rich) {
	for i, s := range r {
		length := utf8.RuneCountInString(s.text)
		if length > n {
			at := len(string([]rune(s.text)[:n]))
			before, after := s, s
			before.text, after.text = s.text[:at], s.text[at:]
			return append(head, before), append(rich{after}, r[i+1:]...)
		}
		head, n = append(head, s), n-length
	}
	return head, nil
}
