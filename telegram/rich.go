package telegram

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"hermes/internal/question"
)

// rich is text with the little markup that hermes uses. It can be cut anywhere
// and is still whole, as markup is added only when it is written out.
type rich []span

// span is a run of text of one kind.
type span struct {
	text  string
	bold  bool
	time  time.Time // not zero: text is this time, shown in the reader's own zone
	code  string    // not empty: set as code in this language
	quote bool      // set as a quotation: none of its lines can be taken for the card's own

	mention question.UserID // not 0: text names this person, who is told (Bot API text_mention)
}

func plain(s string) rich { return rich{{text: s}} }

// clock is a time of day, with the date when it is another day than now. The
// zone of now is the one for clients that do not show times of their own.
func clock(t, now time.Time) rich {
	t = t.In(now.Location())
	return rich{{text: timeOfDay(t, now), time: t}}
}

func timeOfDay(t, now time.Time) string {
	t = t.In(now.Location())
	if t.Year() == now.Year() && t.YearDay() == now.YearDay() {
		return t.Format("15:04")
	}
	return t.Format("2006-01-02 15:04")
}

// phrase fills the %s of a format with rich text, one after another.
func phrase(format string, args ...rich) rich {
	var r rich
	parts := strings.Split(format, "%s")
	for i, part := range parts {
		if i > 0 && i-1 < len(args) {
			r = append(r, args[i-1]...)
		}
		r = append(r, span{text: part})
	}
	return r
}

// join puts a separator between those that are not empty.
func join(sep string, parts ...rich) rich {
	var r rich
	for _, p := range parts {
		if p.empty() {
			continue
		}
		if len(r) > 0 {
			r = append(r, span{text: sep})
		}
		r = append(r, p...)
	}
	return r
}

func (r rich) empty() bool {
	for _, s := range r {
		if s.text != "" {
			return false
		}
	}
	return true
}

// runes is the length that Telegram counts: code points, without markup.
func (r rich) runes() int {
	n := 0
	for _, s := range r {
		n += utf8.RuneCountInString(s.text)
	}
	return n
}

// plain is the text without markup.
func (r rich) plain() string {
	var b strings.Builder
	for _, s := range r {
		b.WriteString(s.text)
	}
	return b.String()
}

// unmarked is the text for a message without markup. There a quotation is one line, for
// nothing else would show where it ends. It is as long as plain.
func (r rich) unmarked() string {
	var b strings.Builder
	for i, s := range r {
		switch {
		case s.quote:
			s.text = strings.ReplaceAll(s.text, "\n", "␤")
		case s.text == more && i+1 < len(r) && r[i+1].quote: // the quotation goes on
			s.text = strings.ReplaceAll(more, "\n", " ")
		}
		b.WriteString(s.text)
	}
	return b.String()
}

// html is the text as Bot API parse_mode HTML takes it.
func (r rich) html() string {
	var b strings.Builder
	for _, s := range r {
		b.WriteString(s.html())
	}
	return b.String()
}

func (s span) html() string {
	text := escape(s.text)
	switch {
	case s.text == "":
		return ""
	case !s.time.IsZero():
		return fmt.Sprintf(`<tg-time unix="%d" format="%s">%s</tg-time>`, s.time.Unix(), s.format(), text)
	case s.code != "":
		return `<pre><code class="language-` + s.code + `">` + text + "</code></pre>"
	case s.quote:
		return "<blockquote>" + text + "</blockquote>"
	case s.mention != 0:
		return `<a href="tg://user?id=` + strconv.FormatInt(int64(s.mention), 10) + `">` + text + "</a>"
	case s.bold:
		return "<b>" + text + "</b>"
	}
	return text
}

// format is the Bot API's date_time format: time alone, or date and time.
func (s span) format() string {
	if len(s.text) > len("15:04") {
		return "dt"
	}
	return "t"
}

// escape leaves quotes alone: in text only <, > and & have a meaning.
func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// escapedLen is how many bytes escape makes of a rune.
func escapedLen(r rune) int {
	switch r {
	case '&':
		return len("&amp;")
	case '<', '>':
		return len("&lt;")
	}
	return utf8.RuneLen(r)
}
