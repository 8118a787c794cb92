package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

// lateLives are what Ada goes through with a question that was lost, while hermes is
// killed.
var lateLives = map[string]struct {
	live   func(*life)
	answer string
}{
	"chosen afterwards": {func(l *life) {
		l.pressWherever(lateButton)
		l.pressWherever("2.")
	}, "PostgreSQL (Recommended)"},
	"said afterwards": {func(l *life) {
		l.pressWherever(lateButton)
		offer := l.having("🚫 Send nothing")
		if _, err := l.telegram.Say(ada, ada, "files, please", telegram.ReplyTo(offer)); err != nil {
			l.t.Fatal(err)
		}
		l.pass(5 * time.Second)
	}, "files, please"},
}

// having is the newest message with such a button.
func (l *life) having(label string) int {
	l.t.Helper()
	for range 3 {
		all := l.telegram.Messages(ada)
		for _, m := range slices.Backward(all) {
			if slices.ContainsFunc(m.Labels(), func(l string) bool { return strings.HasPrefix(l, label) }) {
				return m.ID
			}
		}
		l.pass(5 * time.Second)
	}
	l.t.Fatalf("there is no button %q:\n%s", label, l.telegram.Transcript(ada))
	return 0
}

func (l *life) pressWherever(label string) {
	l.t.Helper()
	l.pressOn(l.having(label), label)
}

// TestKilledWhileAnsweringLate kills hermes at each of its operations while an answer
// goes as a prompt.
func TestKilledWhileAnsweringLate(t *testing.T) {
	for name := range lateLives {
		everyKill(t, "late "+name, func(t *testing.T, k *killer) string { return lateLife(t, name, k) })
	}
}

// lateLife plays one life and holds its end against the promise: the session was told
// once, and the question says so.
func lateLife(t *testing.T, name string, k *killer) string {
	c := drivingRig(t, opencode.VersionNew, nil)
	c.ask(database())
	c.lose()
	c.halt()
	l := &life{rig: c.rig, killer: k}
	c.wrap = k.around
	c.start()
	l.pass(5 * time.Second)
	story := lateLives[name]
	story.live(l)
	l.pass(3 * time.Minute)
	what := k.killed()
	l.judgeLate(c, story.answer)
	if t.Failed() {
		t.Logf("killed at operation %d, %s, with its effect: %v\nlog:\n%s", k.at, what, k.after, c.log.String())
	}
	c.bury(what)
	return what
}

func (l *life) judgeLate(c talk, answer string) {
	l.t.Helper()
	c.wantPrompts("Your question was: Which database should this feature use?\nMy answer: " + answer)
	for kind, want := range map[question.EntryKind]int{question.EntryPrompted: 1, question.EntryCarried: 1} {
		if n := len(l.journal(kind)); n != want {
			l.t.Errorf("%d entries %s, want %d", n, kind, want)
		}
	}
	ends := 0
	for _, m := range l.telegram.Messages(ada) {
		if m.FromBot && strings.Contains(m.Text, "sent as a prompt by Ada") && len(m.Rows) == 0 {
			ends++
		}
	}
	if ends != 1 {
		l.t.Errorf("%d cards tell the end:\n%s", ends, l.telegram.Transcript(ada))
	}
	if err := l.daemon.store.Verify(); err != nil {
		l.t.Error("the journal:", err)
	}
}
