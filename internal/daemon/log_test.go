package daemon_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/simulate/rig"
)

// askPlay is one ask, from the hook to the last edit of its card.
type askPlay struct {
	play  func(*rig.Rig)
	steps []string // of the journal, in the log
}

// asksOfEachKind are those that one OpenCode 1 and a program can ask; forms have a test of their own.
var asksOfEachKind = map[string]askPlay{
	"a question": {func(r *rig.Rig) {
		r.Ask(rig.DatabaseQuestion())
		r.Tap("2.")
	}, []string{"asked", "shown", "answered", "confirmed"}},
	"a permission": {func(r *rig.Rig) {
		_, _ = r.Opencode.AskPermission(r.Opencode.Directory(), "", rig.BashPermission("make"))
		r.Wait(3 * time.Second)
		r.Tap("✅ Allow once")
	}, []string{"asked", "shown", "answered", "confirmed"}},
	"a program's": {func(r *rig.Rig) {
		r.Submit(`{"questions":[{"question_id":"go","question":"Deploy?","options":[{"id":"yes","label":"Yes"},{"id":"no","label":"No"}]}]}`)
		r.Tap("1.")
	}, []string{"asked", "shown", "answered", "confirmed"}},
	"one that is dismissed": {func(r *rig.Rig) {
		r.Ask(rig.DatabaseQuestion())
		r.Dismiss()
	}, []string{"asked", "shown", "picked", "answered", "confirmed"}},
	"one that nobody answers": {func(r *rig.Rig) {
		r.Ask(rig.DatabaseQuestion())
		r.Wait(31 * time.Minute)
	}, []string{"asked", "shown", "reminded", "reminded", "expired", "confirmed"}},
	"one of a chat that cannot be reached": {func(r *rig.Rig) {
		r.Telegram.Block(rig.Ada)
		r.Ask(rig.DatabaseQuestion())
		r.Wait(time.Minute)
	}, nil},
}

// questionField is the id of the ask that a line of the log is about.
var questionField = regexp.MustCompile(` question=(\S+)`)

// From the hook to the last edit each line of the log that is about an ask has its id, in one and the same field: so
// one search shows what became of it.
func TestLog_OneIDFromAskedToSettled(t *testing.T) {
	for name, c := range asksOfEachKind {
		t.Run(name, func(t *testing.T) {
			rig.Play(t, nil, func(r *rig.Rig) {
				before := len(r.Log.String())
				c.play(r)
				r.Wait(2 * time.Minute)
				wantOneID(t, r.Log.String()[before:], c.steps)
			})
		})
	}
}

func wantOneID(t *testing.T, log string, steps []string) {
	t.Helper()
	ids, got := map[string]bool{}, []string{}
	for line := range strings.Lines(log) {
		if strings.Contains(line, `msg="looked at a session"`) {
			continue // that is about the turn, which began before the ask and goes on after it
		}
		id := questionField.FindStringSubmatch(line)
		if id == nil {
			t.Errorf("a line without the id: %s", line)
			continue
		}
		ids[id[1]] = true
		if _, rest, found := strings.Cut(line, "msg=journaled "); found {
			_, kind, _ := strings.Cut(rest, "kind=")
			if step := strings.Fields(kind)[0]; step != "delivered" { // the proof may come before OpenCode's answer
				got = append(got, step)
			}
		}
	}
	if len(ids) != 1 {
		t.Errorf("%d ids:\n%s", len(ids), log)
	}
	if steps != nil && (!slices.Equal(got, steps) || !strings.Contains(log, "ended=true") || !strings.Contains(log, `msg="a decision is sent"`) || !strings.Contains(log, "nothing is owed")) {
		t.Errorf("the steps are %q, want %q\n%s", got, steps, log)
	}
}
