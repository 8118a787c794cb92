package sessionview

import (
	"strings"
	"time"

	"hermes/internal/letters"
	"hermes/internal/remote"
	"hermes/telegram/markup"
)

// liveView is what a session does just now, in one message: the tool at work, and the end of
// its words. What does not fit is in the message that tells of the end.
type liveView struct {
	turnView
	live remote.LiveState
	tool string // at work; empty: none
	now  time.Time
}

func (v view) live() liveView { return liveView{v.turn(), v.Live, v.Text, v.now} }

func (v liveView) text() markup.Text {
	r := v.w.Sessions
	switch v.live {
	case remote.LiveWaits:
		return v.withLastWords(r.WaitsForYou)
	case remote.LiveRests:
		return v.withLastWords(r.IsIdle)
	case remote.LiveAway:
		return v.withLastWords(r.Live.Away)
	case remote.LiveEnded:
		sign, state := v.state()
		return markup.Join("\n", v.headline(sign), state)
	case remote.LiveClosed:
		return markup.Join("\n", v.headline("⚠️"), markup.Plain(r.Live.Closed))
	case remote.LiveGone:
		return markup.Join("\n", v.headline("⚠️"), markup.Plain(r.Gone))
	case remote.LiveLeft:
		return markup.Join("\n", v.headline("⚙️"), markup.Plain(r.Live.Left))
	}
	state := r.Works
	if t := v.now.Sub(v.turn.Began); !v.turn.Began.IsZero() && t >= time.Minute {
		state += " · " + v.w.Duration(t.Truncate(time.Minute))
	}
	if tool := markup.OneLine(v.tool); tool != "" {
		state += " · " + markup.Isolate(markup.Shorten(tool, 200))
	}
	return v.withLastWords(state)
}

// withLastWords is how a session stands, and the end of its words.
func (v liveView) withLastWords(state string) markup.Text {
	head := markup.Join("\n", v.headline("⚙️"), markup.Plain(state))
	said := strings.TrimSpace(letters.Clean(v.turn.Text))
	if said == "" {
		return head
	}
	return markup.Join("\n\n", head, markup.Plain(markup.Ending(said, markup.MaxRunes-head.Runes()-2)))
}
