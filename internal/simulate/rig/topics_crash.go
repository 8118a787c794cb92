package rig

import (
	"slices"
	"strings"
	"time"
)

// PressCard taps the newest message of the team's chat that has buttons.
func (l *Life) PressCard(label string) {
	l.T.Helper()
	for _, m := range slices.Backward(l.Telegram.Messages(Team)) {
		if len(m.Rows) > 0 {
			if _, err := l.Telegram.Tap(Ada, Team, m.ID, label); err != nil {
				l.T.Fatal(err)
			}
			l.Pass(5 * time.Second)
			return
		}
	}
	l.T.Fatalf("nothing is asked:\n%s\n%s", l.Telegram.History(Team), l.Log.String())
}

// WantTopicsTold holds the end against the promise. heard: hermes was there when the
// session was archived.
func (l *Life) WantTopicsTold(heard bool) {
	l.T.Helper()
	l.WantAnswers(l.Call, []string{"SQLite"})
	last := l.LastIn(Team)
	if !strings.HasPrefix(last.Text, "✅") {
		l.T.Errorf("the end is not told:\n%s", l.Telegram.History(Team))
	}
	topics := l.Telegram.Topics(Team)
	for _, topic := range topics {
		if topic.ID == last.Topic && heard && !topic.Closed {
			l.T.Errorf("the topic is open:\n%s\n%s", l.Telegram.History(Team), l.Log.String())
		}
	}
	if len(topics) == 0 || len(topics) > 2 || last.Topic == 0 {
		l.T.Errorf("%d topics:\n%s\n%s", len(topics), l.Telegram.History(Team), l.Log.String())
	}
}
