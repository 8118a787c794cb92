package telegram

import (
	"strings"
	"time"
	"unicode/utf8"

	"hermes/internal/letters"
	"hermes/internal/question"
)

// live is what a session does just now, in one message: the tool at work, and the end of
// its words. What does not fit is in the message that tells of the end.
func (p teller) live() rich {
	r := p.w.Sessions
	switch p.Live {
	case question.LiveWaits:
		return p.going(r.WaitsForYou)
	case question.LiveRests:
		return p.going(r.IsIdle)
	case question.LiveAway:
		return p.going(r.Live.Away)
	case question.LiveEnded:
		sign, state := p.state()
		return join("\n", p.headline(sign), state)
	case question.LiveClosed:
		return join("\n", p.headline("⚠️"), plain(r.Live.Closed))
	case question.LiveGone:
		return join("\n", p.headline("⚠️"), plain(r.Gone))
	case question.LiveLeft:
		return join("\n", p.headline("⚙️"), plain(r.Live.Left))
	}
	state := r.Works
	if t := p.now.Sub(p.Turn.Began); !p.Turn.Began.IsZero() && t >= time.Minute {
		state += " · " + p.w.Duration(t.Truncate(time.Minute))
	}
	if tool := oneLine(p.Text); tool != "" {
		state += " · " + apart(shorten(tool, 200))
	}
	return p.going(state)
}

// going is how a session stands, and the end of its words.
func (p teller) going(state string) rich {
	head := join("\n", p.headline("⚙️"), plain(state))
	words := strings.TrimSpace(letters.Clean(p.Turn.Text))
	if words == "" {
		return head
	}
	return join("\n\n", head, plain(ending(words, maxRunes-head.runes()-2)))
}

// following tells whether the chat follows the session that it uses.
func (p teller) following() rich {
	text := p.w.Sessions.Live.Off
	if p.Seat.Follow {
		text = p.w.Sessions.Live.On
	}
	if p.Session.ID == "" {
		return plain("👀 " + text)
	}
	return join("\n", p.headline("👀"), plain(text))
}

// ending is the last n code points of a text, from the start of a line where one begins
// soon, and says that there is more before.
func ending(text string, n int) string {
	over := utf8.RuneCountInString(text) - n
	if over <= 0 {
		return text
	}
	for range over + utf8.RuneCountInString(more) {
		_, size := utf8.DecodeRuneInString(text)
		text = text[size:]
	}
	if line := strings.IndexByte(text, '\n'); line >= 0 && line < 400 && strings.TrimSpace(text[line:]) != "" {
		text = text[line+1:]
	}
	return more + text
}
