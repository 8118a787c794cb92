//go:build !race

// Not under the race detector: so many events in one bubble crash it now and then (Go 1.26).

package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
)

// Ten minutes in which a session says 200 kB, followed in a private chat and a group at
// once: no limit of Telegram is met (the stand-in is strict), half of what a chat may have
// is left to others, and what is asked meanwhile is shown as soon as ever.
func TestTenMinutesAreFollowed(t *testing.T) {
	driving(t, opencode.VersionNew, in(chat{ID: ada}, chat{ID: team}), func(c talk) { c.tenMinutes(5) })
}

func (c talk) tenMinutes(pieces int) {
	c.addTeam(false)
	for _, where := range []int64{ada, team} {
		c.sayIn(ada, where, "/use@hermes_bot fix checkout", 0)
		c.sayIn(ada, where, "/follow@hermes_bot", 0)
	}
	before, said := len(c.telegram.Calls()), 0
	for second := range 600 {
		for n := range pieces {
			piece := strings.Repeat(fmt.Sprintf("line %d.%d: <b>&amp; %s\n", second, n, strings.Repeat("x", 15)), 10/pieces)
			said += len(piece)
			c.opencode.Speak(c.session, piece)
			c.wait(time.Second / time.Duration(pieces))
		}
		if second%30 == 15 {
			c.asksAndIsHeard(fmt.Sprintf("Question %d?", second))
		}
	}
	for _, where := range []int64{ada, team} {
		live := c.liveIn(where)
		if !strings.HasPrefix(live.Text, "⚙️ shop-api · fix checkout flow\nWorks · 10 min\n\n…") || !strings.Contains(live.Text, "line 59") || live.Edits < 60 {
			c.t.Errorf("%d shows, after %d edits:\n%.300s", where, live.Edits, live.Text)
		}
	}
	c.wantPace(before)
	c.opencode.Say(c.session, "the very end")
	c.wait(30 * time.Second)
	for _, where := range []int64{ada, team} {
		if live := c.liveIn(where); !live.Deleted || !strings.HasSuffix(c.lastIn(where).Text, "Reply to this message to go on.") {
			c.t.Errorf("at the end %d shows %.200q", where, c.lastIn(where).Text)
		}
	}
	if said < 200_000 {
		c.t.Errorf("only %d bytes were said", said)
	}
}

// asksAndIsHeard asks something in another session: it is shown in both chats within the
// time of one edit of theirs.
func (c talk) asksAndIsHeard(text string) {
	c.t.Helper()
	began := time.Now()
	q := database()
	q.Question = text
	request, _ := c.opencode.Ask(c.dir, "", q)
	for where, within := range map[int64]time.Duration{ada: 800*time.Millisecond + time.Second, team: 800*time.Millisecond + 3*time.Second} {
		for !strings.Contains(c.lastIn(where).Text, text) {
			if c.wait(100 * time.Millisecond); time.Since(began) > within {
				c.t.Fatalf("%q is not shown in %d after %v", text, where, time.Since(began))
			}
		}
	}
	c.opencode.AnswerAtTUI(request, [][]string{{"SQLite"}})
}

// wantPace holds the calls since then to what is left to live messages and to the cards.
func (c talk) wantPace(before int) {
	c.t.Helper()
	for where, limit := range map[int64]int{ada: 40, team: 20} {
		var at []time.Time
		for _, call := range c.telegram.Calls()[before:] {
			if call.Chat == where && (call.Method == "editMessageText" || call.Method == "sendMessage") {
				at = append(at, call.At)
			}
		}
		for i, first := range at {
			n := 0
			for _, one := range at[i:] {
				if one.Sub(first) < time.Minute {
					n++
				}
			}
			if n > limit {
				c.t.Fatalf("%d calls in a minute in %d", n, where)
			}
		}
	}
}
