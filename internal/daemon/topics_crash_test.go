package daemon_test

import (
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
	l.PressCard("1.")
	r.Opencode.Archive(session)
	heard := k.Killed() == ""
	l.Pass(time.Minute)
	what := k.Killed()
	l.WantTopicsTold(what == "" || !heard)
	if t.Failed() {
		t.Logf("killed at operation %d, %s, with its effect: %v", k.At, what, k.After)
	}
	r.Halt()
	r.Wrap = nil
	r.Close()
	return what
}
