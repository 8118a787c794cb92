package daemon_test

import (
	"strings"
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
)

// TestTopics_KilledAtEveryStep kills hermes at each of its operations in turn, from the
// ask in a forum to the topic's end, and starts it again: the question is answered,
// and at most one topic is left that nobody uses.
func TestTopics_KilledAtEveryStep(t *testing.T) {
	everyKill(t, "topic", topicLifetime)
}

func topicLifetime(t *testing.T, k *rig.Killer) string {
	r := rig.NewStopped(t, opencode.VersionNew, withTopics(rig.Team))
	r.AddForum()
	r.Wrap = k.Around
	l := &rig.Life{Rig: r, Killer: k}
	r.Start()
	l.Pass(5 * time.Second)
	dir := r.Opencode.Directory()
	session := r.Opencode.NewSession(dir, "fix checkout flow")
	_, l.Call = r.Opencode.Ask(dir, session, rig.DatabaseQuestion())
	l.Pass(10 * time.Second)
	pressCard(l, "1.")
	r.Opencode.Archive(session)
	heard := k.Killed() == ""
	l.Pass(time.Minute)
	what := k.Killed()
	wantTopicsTold(l, what == "" || !heard)
	if t.Failed() {
		t.Logf("killed at operation %d, %s, with its effect: %v", k.At, what, k.After)
	}
	r.Halt()
	r.Wrap = nil
	r.Close()
	return what
}

// pressCard taps the newest message of the team's chat that has buttons.
func pressCard(l *rig.Life, label string) {
	l.T.Helper()
	l.TapIn(rig.Ada, rig.Team, label)
	l.Pass(5 * time.Second)
}

// wantTopicsTold holds the end against the promise. heard: hermes was there when the
// session was archived.
func wantTopicsTold(l *rig.Life, heard bool) {
	l.T.Helper()
	l.WantAnswers(l.Call, []string{"SQLite"})
	last := l.LastIn(rig.Team)
	if !strings.HasPrefix(last.Text, "✅") {
		l.T.Errorf("the end is not told:\n%s", l.Telegram.History(rig.Team))
	}
	topics := l.Telegram.Topics(rig.Team)
	for _, topic := range topics {
		if topic.ID == last.Topic && heard && !topic.Closed {
			l.T.Errorf("the topic is open:\n%s\n%s", l.Telegram.History(rig.Team), l.Log.String())
		}
	}
	if len(topics) == 0 || len(topics) > 2 || last.Topic == 0 {
		l.T.Errorf("%d topics:\n%s\n%s", len(topics), l.Telegram.History(rig.Team), l.Log.String())
	}
}
