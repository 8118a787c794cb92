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
	lose   func(rig.Talk)
	live   func(*rig.Life)
	prompt string
}{
	"chosen afterwards": {rig.Talk.LoseQuestion, func(l *rig.Life) {
		l.PressWherever(rig.LateButton)
		l.PressWherever("2.")
	}, "Your question was: Which database should this feature use?\nMy answer: PostgreSQL (Recommended)"},
	"chosen after the deadline": {rig.Talk.TimeOut, func(l *rig.Life) {
		l.PressWherever(rig.LateButton)
		l.PressWherever("1.")
	}, "Nobody answered your question “Which database should this feature use?” in time. My answer: “SQLite”."},
	"said afterwards": {rig.Talk.LoseQuestion, func(l *rig.Life) {
		l.PressWherever(rig.LateButton)
		offer := l.MessageWith("🚫 Send nothing")
		if _, err := l.Telegram.Say(rig.Ada, rig.Ada, "files, please", telegram.ReplyTo(offer)); err != nil {
			l.T.Fatal(err)
		}
		l.Pass(5 * time.Second)
	}, "Your question was: Which database should this feature use?\nMy answer: files, please"},
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
	story := lateLives[name]
	story.lose(c)
	c.Halt()
	l := &rig.Life{Rig: c.Rig, Killer: k}
	c.Wrap = k.Around
	c.Start()
	l.Pass(5 * time.Second)
	story.live(l)
	l.Pass(3 * time.Minute)
	what := k.Killed()
	l.WantLateAnswer(c, story.prompt)
	if t.Failed() {
		t.Logf("killed at operation %d, %s, with its effect: %v\nlog:\n%s", k.At, what, k.After, c.Log.String())
	}
	c.EndAfterKill(what)
	return what
}
