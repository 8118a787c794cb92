package daemon_test

import (
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
)

// TestUpdateIDs_KilledAfterAJump kills hermes at each of its operations from the jump on.
func TestUpdateIDs_KilledAfterAJump(t *testing.T) {
	everyKill(t, "a jump", jumpLife)
}

func jumpLife(t *testing.T, k *rig.Killer) string {
	r := rig.NewStopped(t, opencode.VersionNew, nil)
	r.Wrap = k.Around
	countFrom(k, -1<<40) // does not count yet
	l := &rig.Life{Rig: r, Killer: k}
	r.Start()
	r.Say("/start", 0)
	r.Wait(time.Minute)
	if err := r.Telegram.JumpUpdateID(3_000_001); err != nil {
		t.Fatal(err)
	}
	countFrom(k, 0)
	dir := r.Opencode.Directory()
	l.Request, l.Call = r.Opencode.Ask(dir, r.Opencode.NewSession(dir, "fix checkout flow"), rig.DatabaseQuestion(), rig.ProjectNameQuestion())
	l.Rig.Wait(5 * time.Second)
	l.Press("2.")
	l.Pass(5 * time.Second)
	if _, err := r.Telegram.Say(rig.Ada, rig.Ada, "The Bridge"); err != nil {
		t.Fatal(err)
	}
	l.Pass(5 * time.Second)
	l.Press("✅ Send")
	l.Pass(2 * time.Minute)
	what := k.Killed()
	wantEnd(l, [][]string{{"PostgreSQL (Recommended)"}, {"The Bridge"}}, "✅")
	if n := r.Telegram.Pending(); n != 0 {
		t.Errorf("%d updates wait", n)
	}
	if t.Failed() {
		t.Logf("killed at operation %d, %s, with its effect: %v", k.At, what, k.After)
	}
	r.EndAfterKill(what)
	return what
}

// countFrom makes n the number of operations that the killer has counted.
func countFrom(k *rig.Killer, n int) {
	k.Mu.Lock()
	defer k.Mu.Unlock()
	k.Count = n
}
