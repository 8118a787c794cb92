package ui

import (
	"time"
	"unicode/utf16"

	"hermes/internal/question"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// Reader is whom something is told: in which language, and when.
type Reader struct {
	Words    words.Table
	Now      time.Time
	Withhold bool // see question.View.Withhold
}

// view is what the reader may see of a view.
func (r Reader) view(v question.View) question.View {
	if r.Withhold {
		return v.Withhold()
	}
	return v
}

// Text is what somebody is told. It is made when it is sent, and as often as it is tried: it is pure.
type Text func(Reader) Body

// Line is a sentence: all of the alert of a tap, and in a message behind a sign.
type Line func(Reader) (sign, sentence string)

// line is a sentence that is the same for everybody who reads a language.
func line(sign string, sentence func(words.Table) string) Line {
	return func(r Reader) (string, string) { return sign, sentence(r.Words) }
}

// Text is a message that says it.
func (l Line) Text() Text {
	return func(r Reader) Body {
		sign, sentence := l(r)
		return textMessage(markup.Plain(sign + " " + sentence))
	}
}

// maxAlert is how much text a callback query is answered with (Bot API
// answerCallbackQuery).
const maxAlert = 200

// Alert is what a tap is answered with, "" for a nil Line.
func (l Line) Alert(r Reader) string {
	if l == nil {
		return ""
	}
	_, sentence := l(r)
	return cutToUnits(sentence, maxAlert)
}

// cutToUnits cuts text to a number of UTF-16 units, which are never fewer than the
// code points that Telegram counts.
func cutToUnits(s string, limit int) string {
	if markup.Units(s) <= limit {
		return s
	}
	n := 0
	for i, r := range s {
		if n += utf16.RuneLen(r); n > limit-1 {
			return s[:i] + "…"
		}
	}
	return s
}
