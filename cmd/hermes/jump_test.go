package main

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
)

// jump makes id the next update's, as Telegram does after a week without any.
func (r *rig) jump(id int) {
	r.t.Helper()
	if err := r.telegram.JumpUpdateID(id); err != nil {
		r.t.Fatal(err)
	}
}

// jumps are where Telegram may go on after a week: below the last id, above it, at one that was used then.
var jumps = map[string]int{"down": 3_000_001, "up": 1_000_000_001, "onto the first one": 100_000_001, "onto the last one": 100_000_003}

// After a week in which nobody said anything, what is said and tapped is taken as before: each once, and none is left.
func TestAWeekOfSilence(t *testing.T) {
	for name, id := range jumps {
		t.Run(name, func(t *testing.T) {
			play(t, nil, func(r *rig) {
				r.say("hello?", 0)
				r.say("anybody?", 0) // the third update
				r.wait(8 * 24 * time.Hour)
				r.ready()
				r.jump(id)
				_, tapped := r.ask(database())
				r.tap("2.")
				r.wait(2 * time.Second)
				_, typed := r.ask(projectName())
				r.say("The Bridge", 0)
				r.wait(2 * time.Second)
				_, several := r.ask(languages())
				for _, label := range []string{"☐ 1.", "☐ 3.", "✅ Done"} {
					r.tap(label)
					r.wait(2 * time.Second)
				}
				r.wait(time.Minute)
				r.got(tapped, []string{"PostgreSQL (Recommended)"})
				r.got(typed, []string{"The Bridge"})
				r.got(several, []string{"Go", "Zig"})
				if n := len(r.journal(question.EntryAnswered)); n != 3 || r.telegram.Pending() != 0 {
					t.Errorf("%d answers were taken, %d updates wait", n, r.telegram.Pending())
				}
				r.sameAgain()
				r.ready()
			})
		})
	}
}

// sameAgain has Telegram hand out the last update once more, and fails the test if anything comes of it.
func (r *rig) sameAgain() {
	r.t.Helper()
	before := r.telegram.History(ada)
	if err := r.telegram.Redeliver(r.telegram.LastUpdateID()); err != nil {
		r.t.Fatal(err)
	}
	r.wait(time.Minute)
	if after := r.telegram.History(ada); after != before {
		r.t.Errorf("the same update had an effect twice:\n%s", strings.TrimPrefix(after, before))
	}
}

// TestKilledAfterAJump kills hermes at each of its operations from the jump on.
func TestKilledAfterAJump(t *testing.T) {
	everyKill(t, "a jump", jumpLife)
}

func jumpLife(t *testing.T, k *killer) string {
	r := makeRig(t, opencode.VersionNew, nil)
	r.wrap = k.around
	k.rest()
	l := &life{rig: r, killer: k}
	r.start()
	r.say("/start", 0)
	r.wait(time.Minute)
	r.jump(3_000_001)
	k.begin()
	dir := r.opencode.Directory()
	l.request, l.call = r.opencode.Ask(dir, r.opencode.NewSession(dir, "fix checkout flow"), database(), projectName())
	l.rig.wait(5 * time.Second)
	l.press("2.")
	l.pass(5 * time.Second)
	if _, err := r.telegram.Say(ada, ada, "The Bridge"); err != nil {
		t.Fatal(err)
	}
	l.pass(5 * time.Second)
	l.press("✅ Send")
	l.pass(2 * time.Minute)
	what := k.killed()
	l.judge([][]string{{"PostgreSQL (Recommended)"}, {"The Bridge"}}, "✅")
	if n := r.telegram.Pending(); n != 0 {
		t.Errorf("%d updates wait", n)
	}
	if t.Failed() {
		t.Logf("killed at operation %d, %s, with its effect: %v", k.at, what, k.after)
	}
	r.bury(what)
	return what
}

// rest keeps the killer from counting until begin.
func (k *killer) rest() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.count = -1 << 40
}

func (k *killer) begin() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.count = 0
}
