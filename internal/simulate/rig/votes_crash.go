package rig

import (
	"slices"
	"strings"
	"time"

	"hermes/internal/storage"
)

// Polls are what two who must both approve go through; nobody taps twice because
// hermes was killed.
var Polls = map[string]struct {
	Taps   [][2]string // who, and the button
	reply  string
	End    string // of the card
	byName string
}{
	"two approve":        {[][2]string{{"Ada", "✅ Allow once"}, {"Chen", "✅ Allow once"}}, "once", "✅", "Ada and Chen"},
	"one rejects":        {[][2]string{{"Ada", "✅ Allow once"}, {"Chen", "🚫 Reject"}}, "reject", "🚫", "Rejected by Chen"},
	"the same one twice": {[][2]string{{"Ada", "✅ Allow once"}, {"Ada", "✅ Allow once"}}, "reject", "⌛", "1 of 2 approved"},
}

// PressAs taps the newest message of the team's chat that has buttons.
func (l *Life) PressAs(user int64, label string) {
	l.T.Helper()
	for _, m := range slices.Backward(l.Telegram.Messages(Team)) {
		if len(m.Rows) > 0 {
			if _, err := l.Telegram.Tap(user, Team, m.ID, label); err != nil {
				l.T.Fatalf("%v\n%s", err, l.Telegram.History(Team))
			}
			l.Pass(10 * time.Second)
			return
		}
	}
	l.T.Fatalf("nothing is asked:\n%s", l.Telegram.History(Team))
}

// WantVotes fails the test unless the poll of that name ended as it should, and was told once.
func (l *Life) WantVotes(name string) {
	l.T.Helper()
	story := Polls[name]
	l.WantAnswers(l.Call, []string{story.reply})
	told := false
	for _, m := range l.Telegram.Messages(Team) {
		if m.FromBot && len(m.Rows) > 0 {
			l.T.Errorf("a message is left lying:\n%s", l.Telegram.History(Team))
		}
		if tellsEnd(m.Text, story.End, story.byName) {
			told = true
		}
	}
	if !told {
		l.T.Errorf("the end does not say %q:\n%s", story.byName, l.Telegram.History(Team))
	}
	approved := 0
	for _, e := range l.Journal(storage.EntryApproved) {
		if approved++; e.By.Name != "Ada" || approved > 1 {
			l.T.Errorf("approved %d times: %+v", approved, e)
		}
	}
	if err := l.Daemon.Store.Verify(); err != nil {
		l.T.Error("the journal:", err)
	}
}

// tellsEnd reports whether the card ends as it should. Killed after the decision was
// sent, hermes cannot prove whose it was, and says so.
func tellsEnd(text, sign, who string) bool {
	unproven := strings.Contains(text, "Allowed in OpenCode") && strings.Contains(text, "It is unclear whether Chen's answer arrived")
	return strings.HasPrefix(text, sign) && (strings.Contains(text, who) || unproven)
}
