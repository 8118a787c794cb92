package daemon_test

import (
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
)

// lateLives are what Ada goes through with a question that was lost, while hermes is
// killed.
var lateLives = map[string]struct {
	live   func(*rig.Life)
	answer string
}{
	"chosen afterwards": {func(l *rig.Life) {
		l.PressWherever(rig.LateButton)
		l.PressWherever("2.")
	}, "PostgreSQL (Recommended)"},
	"said afterwards": {func(l *rig.Life) {
		l.PressWherever(rig.LateButton)
		offer := l.MessageWith("🚫 Send nothing")
		if _, err := l.Telegram.Say(rig.Ada, rig.Ada, "files, please", telegram.ReplyTo(offer)); err != nil {
			l.T.Fatal(err)
		}
		l.Pass(5 * time.Second)
	}, "files, please"},
}

// TestLateAnswers_KilledWhileAnsweringLate kills hermes at each of its operations while an answer
// goes as a prompt.
func TestLateAnswers_KilledWhileAnsweringLate(t *testing.T) {
	for name := range lateLives {
		everyKill(t, "late "+name, func(t *testing.T, k *rig.Killer) string { return lateLife(t, name, k) })
	}
}

// lateLife plays one life and holds its end against the promise: the session was told
// once, and the question says so.
func lateLife(t *testing.T, name string, k *rig.Killer) string {
	c := rig.DrivingRig(t, opencode.VersionNew, nil)
	c.Ask(rig.DatabaseQuestion())
	c.LoseQuestion()
	c.Halt()
	l := &rig.Life{Rig: c.Rig, Killer: k}
	c.Wrap = k.Around
	c.Start()
	l.Pass(5 * time.Second)
	story := lateLives[name]
	story.live(l)
	l.Pass(3 * time.Minute)
	what := k.Killed()
	l.WantLateAnswer(c, story.answer)
	if t.Failed() {
		t.Logf("killed at operation %d, %s, with its effect: %v\nlog:\n%s", k.At, what, k.After, c.Log.String())
	}
	c.EndAfterKill(what)
	return what
}
