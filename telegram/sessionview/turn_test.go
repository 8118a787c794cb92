package sessionview_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/telegram/sessionview"
	"hermes/telegram/words"
)

func TestTurn_Numbers(t *testing.T) {
	began := time.Unix(1000, 0)
	for want, turn := range map[string]session.Turn{
		"Done · 1 file":                {Ended: began.Add(300 * time.Millisecond), Files: 1},
		"Done · 1 file +2 −0":          {Ended: began.Add(300 * time.Millisecond), Files: 1, Added: 2},
		"Done in 2 s · 2 files +1 −1":  {Ended: began.Add(2 * time.Second), Files: 2, Added: 1, Removed: 1},
		"Stopped":                      {Ended: began.Add(time.Hour), Aborted: true},
		"It is unclear how this ended": {Ended: began.Add(time.Hour), Unfinished: true},
	} {
		turn.Began, turn.Message = began, "m"
		shown := sessionview.Render(remote.Message{Kind: remote.TellTurn, Turn: turn}, words.For("en"), began)
		if text := shown.Parts[0].String(); !strings.Contains(text, "\n"+want+"\n") {
			t.Errorf("%q lacks %q", text, want)
		}
	}
}
