package markup

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// What one message holds: UTF-16 units after parsing, bytes before (Bot API sendMessage; the server refuses more than 32768), and
// entities. The Bot API server counts code points (td 022d602, MessageContent.cpp:4757), and nobody says what Telegram behind it
// counts: units are never fewer. Of the entities Telegram drops those above a hundred without a word, bold ones first
// (MessageEntity.cpp:4747).
const (
	MaxUnits    = 4096
	maxBytes    = 32000
	maxEntities = 100
)

// More begins every message that continues another.
const More = "…\n"

// Split cuts text into messages, at a paragraph, a line or a word where it can.
// Nothing is left out: the pieces joined, without the marks of continuation, are
// the text.
func Split(t Text) []Text { return split(t, MaxUnits, MaxUnits) }

// SplitFirst is Split with less room in the first message, where it is shown with something else.
func SplitFirst(t Text, room int) []Text { return split(t, room, MaxUnits) }

// SplitTo is Split with less room in every message.
func SplitTo(t Text, room int) []Text { return split(t, room, room) }

func split(t Text, first, others int) []Text {
	var parts []Text
	for room := first; ; room = others {
		fit := t.fittingRunes(room)
		if fit >= utf8.RuneCountInString(t.String()) {
			return append(parts, t)
		}
		head, tail := t.cutAt(t.breakAt(fit))
		parts = append(parts, head)
		t = append(Plain(More), tail...)
	}
}

// fittingRunes is how many code points of the text go into one message that has room for so many UTF-16 units.
func (t Text) fittingRunes(room int) int {
	runes, bytes, entities := 0, 0, 0
	for _, s := range t {
		html := s.html()
		bytes += len(html) - len(escape(s.Text))
		if entities += strings.Count(html, "</"); s.Code != "" {
			entities-- // two tags, one entity
		}
		for _, c := range s.Text {
			bytes += escapedLen(c)
			if room -= utf16.RuneLen(c); room < 0 || bytes > maxBytes || entities > maxEntities {
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
func (t Text) breakAt(limit int) int {
	text := []rune(t.String())
	window := string(text[limit/2 : limit])
	for _, sep := range []string{"\n\n", "\n", " "} {
		if at := strings.LastIndex(window, sep); at >= 0 {
			return limit/2 + utf8.RuneCountInString(window[:at+len(sep)])
		}
	}
	for at := limit; at > limit/2; at-- {
		if !oneLetter(text[at-1], text[at]) {
			return at
		}
	}
	return limit
}

// oneLetter reports whether two runes are seen as one.
func oneLetter(a, b rune) bool {
	return a == 0x200D || b == 0x200D || unicode.In(b, unicode.Mn, unicode.Me, unicode.Mc, unicode.Variation_Selector) ||
		b >= 0x1F3FB && b <= 0x1F3FF
}

// cutAt parts the text after n code points.
func (t Text) cutAt(n int) (head, tail Text) {
	for i, s := range t {
		length := utf8.RuneCountInString(s.Text)
		if length > n {
			at := len(string([]rune(s.Text)[:n]))
			before, after := s, s
			before.Text, after.Text = s.Text[:at], s.Text[at:]
			return append(head, before), append(Text{after}, t[i+1:]...)
		}
		head, n = append(head, s), n-length
	}
	return head, nil
}
