package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
)

// TestTopicsKilledAtEveryStep kills hermes at each of its operations in turn, from the
// ask in a forum to the topic's end, and starts it again: the question is answered,
// and at most one topic is left that nobody uses.
func TestTopicsKilledAtEveryStep(t *testing.T) {
	everyKill(t, "topic", topicLifetime)
}

func topicLifetime(t *testing.T, k *killer) string {
	r := makeRig(t, opencode.VersionNew, withTopics(team))
	r.addForum()
	r.wrap = k.around
	l := &life{rig: r, killer: k}
	r.start()
	l.pass(5 * time.Second)
	dir := r.opencode.Directory()
	session := r.opencode.NewSession(dir, "fix checkout flow")
	_, l.call = r.opencode.Ask(dir, session, database())
	l.pass(10 * time.Second)
	l.pressCard("1.")
	r.opencode.Archive(session)
	heard := k.killed() == ""
	l.pass(time.Minute)
	what := k.killed()
	l.judgeTopics(what == "" || !heard)
	if t.Failed() {
		t.Logf("killed at operation %d, %s, with its effect: %v", k.at, what, k.after)
	}
	r.halt()
	r.wrap = nil
	r.close()
	return what
}

// pressCard taps the newest message of the team's chat that has buttons.
func (l *life) pressCard(label string) {
	l.t.Helper()
	for _, m := range slices.Backward(l.telegram.Messages(team)) {
		if len(m.Rows) > 0 {
			if _, err := l.telegram.Tap(ada, team, m.ID, label); err != nil {
				l.t.Fatal(err)
			}
			l.pass(5 * time.Second)
			return
		}
	}
	l.t.Fatalf("nothing is asked:\n%s\n%s", l.telegram.History(team), l.log.String())
}

// judgeTopics holds the end against the promise. heard: hermes was there when the
// session was archived.
func (l *life) judgeTopics(heard bool) {
	l.t.Helper()
	l.got(l.call, []string{"SQLite"})
	last := l.lastIn(team)
	if !strings.HasPrefix(last.Text, "✅") {
		l.t.Errorf("the end is not told:\n%s", l.telegram.History(team))
	}
	topics := l.telegram.Topics(team)
	for _, topic := range topics {
		if topic.ID == last.Topic && heard && !topic.Closed {
			l.t.Errorf("the topic is open:\n%s\n%s", l.telegram.History(team), l.log.String())
		}
	}
	if len(topics) == 0 || len(topics) > 2 || last.Topic == 0 {
		l.t.Errorf("%d topics:\n%s\n%s", len(topics), l.telegram.History(team), l.log.String())
	}
}
