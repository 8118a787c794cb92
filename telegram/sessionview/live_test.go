package sessionview_test

import (
	"testing"
	"time"

	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/telegram/sessionview"
	"hermes/telegram/words"
)

// What a live message says of a session, in both languages.
func TestLive_States(t *testing.T) {
	now := time.Date(2026, 11, 21, 14, 5, 0, 0, time.UTC)
	tell := remote.Message{
		Kind: remote.TellLive, Text: "bash: npm test\nrm -rf", Session: session.Session{ID: "ses_1", Title: "fix *it*", Directory: "/src/shop"},
		Turn: session.Turn{Message: "msg_1", Began: now.Add(-200 * time.Second), Text: "I look."},
	}
	for state, want := range map[remote.LiveState]string{
		remote.LiveWorks:  "⚙️ shop · fix *it*\nWorking · 3 min · bash: npm test rm -rf\n\nI look.",
		remote.LiveWaits:  "⚙️ shop · fix *it*\nWaiting for you\n\nI look.",
		remote.LiveRests:  "⚙️ shop · fix *it*\nIdle\n\nI look.",
		remote.LiveAway:   "⚙️ shop · fix *it*\nOpenCode cannot be reached now\n\nI look.",
		remote.LiveEnded:  "💤 shop · fix *it*\nDone in 3 min",
		remote.LiveClosed: "⚠️ shop · fix *it*\nOpenCode was closed, which ended its work",
		remote.LiveGone:   "⚠️ shop · fix *it*\nThere is no such session",
		remote.LiveLeft:   "⚙️ shop · fix *it*\nThis message is no longer updated.",
	} {
		one := tell
		if one.Live = state; state == remote.LiveEnded {
			one.Turn.Ended = now
		}
		if got := sessionview.Render(one, words.For("en"), now).Parts[0].String(); got != want {
			t.Errorf("%s: %q, want %q", state, got, want)
		}
		if got := sessionview.Render(one, words.For("zh"), now).Parts[0].String(); got == want || got == "" {
			t.Errorf("%s in Chinese: %q", state, got)
		}
	}
}
