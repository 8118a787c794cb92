package sessionview

import (
	"strings"
	"time"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/markup"
)

// live is what a session does just now, in one message: the tool at work, and the end of
// its words. What does not fit is in the message that tells of the end.
func (p teller) live() markup.Text {
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
		return markup.Join("\n", p.headline(sign), state)
	case question.LiveClosed:
		return markup.Join("\n", p.headline("⚠️"), markup.Plain(r.Live.Closed))
	case question.LiveGone:
		return markup.Join("\n", p.headline("⚠️"), markup.Plain(r.Gone))
	case question.LiveLeft:
		return markup.Join("\n", p.headline("⚙️"), markup.Plain(r.Live.Left))
	}
	state := r.Works
	if t := p.now.Sub(p.Turn.Began); !p.Turn.Began.IsZero() && t >= time.Minute {
		state += " · " + p.w.Duration(t.Truncate(time.Minute))
	}
	if tool := markup.OneLine(p.Text); tool != "" {
		state += " · " + markup.Isolate(markup.Shorten(tool, 200))
	}
	return p.going(state)
}

// going is how a session stands, and the end of its words.
func (p teller) going(state string) markup.Text {
	head := markup.Join("\n", p.headline("⚙️"), markup.Plain(state))
	words := strings.TrimSpace(letters.Clean(p.Turn.Text))
	if words == "" {
		return head
	}
	return markup.Join("\n\n", head, markup.Plain(markup.Ending(words, markup.MaxRunes-head.Runes()-2)))
}

// following tells whether the chat follows the session that it uses.
func (p teller) following() markup.Text {
	text := p.w.Sessions.Live.Off
	if p.Seat.Follow {
		text = p.w.Sessions.Live.On
	}
	if p.Session.ID == "" {
		return markup.Plain("👀 " + text)
	}
	return markup.Join("\n", p.headline("👀"), markup.Plain(text))
}
