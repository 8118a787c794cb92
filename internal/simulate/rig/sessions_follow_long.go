package rig

import (
	"fmt"
	"strings"
	"time"
)

// TenMinutes has a session speak for ten minutes, in so many pieces a second, while a person and a group follow it.
func (c Talk) TenMinutes(pieces int) {
	c.AddTeam(false)
	for _, where := range []int64{Ada, Team} {
		c.SayIn(Ada, where, "/use@hermes_bot fix checkout", 0)
		c.SayIn(Ada, where, "/follow@hermes_bot", 0)
	}
	before, said := len(c.Telegram.Calls()), 0
	for second := range 600 {
		for n := range pieces {
			piece := strings.Repeat(fmt.Sprintf("line %d.%d: <b>&amp; %s\n", second, n, strings.Repeat("x", 15)), 10/pieces)
			said += len(piece)
			c.Opencode.Speak(c.Session, piece)
			c.Wait(time.Second / time.Duration(pieces))
		}
		if second%30 == 15 {
			c.asksAndIsHeard(fmt.Sprintf("Question %d?", second))
		}
	}
	for _, where := range []int64{Ada, Team} {
		live := c.LiveIn(where)
		if !strings.HasPrefix(live.Text, "⚙️ shop-api · fix checkout flow\nWorking · 10 min\n\n…") || !strings.Contains(live.Text, "line 59") || live.Edits < 60 {
			c.T.Errorf("%d shows, after %d edits:\n%.300s", where, live.Edits, live.Text)
		}
	}
	c.wantPace(before)
	c.Opencode.Say(c.Session, "the very end")
	c.Wait(30 * time.Second)
	for _, where := range []int64{Ada, Team} {
		if live := c.LiveIn(where); !live.Deleted || !strings.HasSuffix(c.LastIn(where).Text, "Reply to this message to go on.") {
			c.T.Errorf("at the end %d shows %.200q", where, c.LastIn(where).Text)
		}
	}
	if said < 200_000 {
		c.T.Errorf("only %d bytes were said", said)
	}
}

// asksAndIsHeard asks something in another session: it is shown in both chats within the
// time of one edit of theirs.
func (c Talk) asksAndIsHeard(text string) {
	c.T.Helper()
	began := time.Now()
	q := DatabaseQuestion()
	q.Question = text
	request, _ := c.Opencode.Ask(c.Dir, "", q)
	for where, within := range map[int64]time.Duration{Ada: 800*time.Millisecond + time.Second, Team: 800*time.Millisecond + 3*time.Second} {
		for !strings.Contains(c.LastIn(where).Text, text) {
			if c.Wait(100 * time.Millisecond); time.Since(began) > within {
				c.T.Fatalf("%q is not shown in %d after %v", text, where, time.Since(began))
			}
		}
	}
	c.Opencode.AnswerAtTUI(request, [][]string{{"SQLite"}})
}

// wantPace holds the calls since then to what is left to live messages and to the cards.
func (c Talk) wantPace(before int) {
	c.T.Helper()
	for where, limit := range map[int64]int{Ada: 40, Team: 20} {
		var at []time.Time
		for _, call := range c.Telegram.Calls()[before:] {
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
				c.T.Fatalf("%d calls in a minute in %d", n, where)
			}
		}
	}
}
