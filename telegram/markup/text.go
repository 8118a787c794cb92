package markup

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"hermes/internal/chat"
)

// Text is text with the little formatting that hermes uses. It can be cut anywhere
// and is still whole, as tags are added only when it is written out.
type Text []Span

// Span is a run of text of one kind.
type Span struct {
	Text  string
	Bold  bool
	Time  time.Time // not zero: text is this time, shown in the reader's own zone
	Code  string    // not empty: set as code in this language, on lines of its own
	Word  bool      // set as code within a line
	Quote bool      // set as a quotation: none of its lines can be taken for the card's own

	Folded bool // with Quote: shown in a few lines until it is tapped (Bot API expandable_blockquote)

	Mention chat.UserID // not 0: text names this person, who is told (Bot API text_mention)
}

// Plain is text without formatting.
func Plain(s string) Text { return Text{{Text: s}} }

// Clock is a time of day, with the date when it is another day than now. The
// zone of now is the one for clients that do not show times of their own.
func Clock(t, now time.Time) Text {
	t = t.In(now.Location())
	return Text{{Text: TimeOfDay(t, now), Time: t}}
}

// TimeOfDay is [Clock] as a string.
func TimeOfDay(t, now time.Time) string {
	t = t.In(now.Location())
	if t.Year() == now.Year() && t.YearDay() == now.YearDay() {
		return t.Format("15:04")
	}
	return t.Format("2006-01-02 15:04")
}

// Phrase fills the %s of a format with rich text, one after another. In a Chinese format it leaves out the spaces that
// set off a Latin name where a Chinese one comes.
func Phrase(format string, args ...Text) Text {
	var r Text
	parts := strings.Split(format, "%s")
	for i := range min(len(args), len(parts)-1) {
		parts[i], parts[i+1] = fit(parts[i], args[i].String(), parts[i+1])
	}
	for i, part := range parts {
		if i > 0 && i-1 < len(args) {
			r = append(r, args[i-1]...)
		}
		r = append(r, Span{Text: part})
	}
	return r
}

// Join puts a separator between those that are not empty.
func Join(sep string, parts ...Text) Text {
	var r Text
	for _, p := range parts {
		if p.Empty() {
			continue
		}
		if len(r) > 0 {
			r = append(r, Span{Text: sep})
		}
		r = append(r, p...)
	}
	return r
}

// Empty reports whether there is nothing to read in it.
func (t Text) Empty() bool {
	for _, s := range t {
		if s.Text != "" {
			return false
		}
	}
	return true
}

// Units is how long it is without markup, in UTF-16 units; see [MaxUnits].
func (t Text) Units() int {
	n := 0
	for _, s := range t {
		n += Units(s.Text)
	}
	return n
}

// Units is how many UTF-16 units a text has.
func Units(s string) (n int) {
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// String is the text without markup.
func (t Text) String() string {
	var b strings.Builder
	for _, s := range t {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Unmarked is the text for a message without markup. There a quotation is one line, for
// nothing else would show where it ends. It is as long as String.
func (t Text) Unmarked() string {
	var b strings.Builder
	for i, s := range t {
		switch {
		case s.Quote:
			s.Text = strings.ReplaceAll(s.Text, "\n", "␤")
		case s.Text == More && i+1 < len(t) && t[i+1].Quote: // the quotation continues
			s.Text = strings.ReplaceAll(More, "\n", " ")
		}
		b.WriteString(withoutMentions(s.Text))
	}
	return b.String()
}

// HTML is the text as Bot API parse_mode HTML takes it.
func (t Text) HTML() string {
	var b strings.Builder
	for _, s := range t {
		b.WriteString(s.html())
	}
	return b.String()
}

func (s Span) html() string {
	text := escape(s.Text)
	switch {
	case s.Text == "":
		return ""
	case !s.Time.IsZero():
		return fmt.Sprintf(`<tg-time unix="%d" format="%s">%s</tg-time>`, s.Time.Unix(), s.timeFormat(), text)
	case s.Code != "":
		return `<pre><code class="language-` + s.Code + `">` + text + "</code></pre>"
	case s.Word:
		return "<code>" + text + "</code>"
	case s.Quote && s.Folded:
		return "<blockquote expandable>" + escapeText(s.Text) + "</blockquote>"
	case s.Quote:
		return "<blockquote>" + escapeText(s.Text) + "</blockquote>"
	case s.Mention != 0:
		return `<a href="tg://user?id=` + strconv.FormatInt(int64(s.Mention), 10) + `">` + text + "</a>"
	case s.Bold:
		return "<b>" + escapeText(s.Text) + "</b>"
	}
	return escapeText(s.Text)
}

// timeFormat is the Bot API's date_time format: time alone, or date and time.
func (s Span) timeFormat() string {
	if len(s.Text) > len("15:04") {
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
