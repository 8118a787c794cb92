package daemon_test

import (
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/daemon"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	"hermes/internal/storage"
	"hermes/internal/testlevel"
)

// jumps are where Telegram may go on after a week: below the last id, above it, at one that was used then.
var jumps = map[string]int{"down": 3_000_001, "up": 1_000_000_001, "onto the first one": 100_000_001, "onto the last one": 100_000_003}

// After a week in which nobody said anything, what is said and tapped is taken as before: each once, and none is left.
func TestUpdateIDs_WeekOfSilence(t *testing.T) {
	for name, id := range jumps {
		if !testlevel.Full() && name != "onto the last one" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			rig.Play(t, nil, func(r *rig.Rig) {
				r.Say("hello?", 0)
				r.Say("anybody?", 0) // the third update
				r.Wait(8 * 24 * time.Hour)
				r.WantReady()
				r.JumpUpdateID(id)
				_, tapped := r.Ask(rig.DatabaseQuestion())
				r.Tap("2.")
				r.Wait(2 * time.Second)
				_, typed := r.Ask(rig.ProjectNameQuestion())
				r.Say("The Bridge", 0)
				r.Wait(2 * time.Second)
				_, several := r.Ask(rig.LanguagesQuestion())
				for _, label := range []string{"☐ 1.", "☐ 3.", "✅ Done"} {
					r.Tap(label)
					r.Wait(2 * time.Second)
				}
				r.Wait(time.Minute)
				r.WantAnswers(tapped, []string{"PostgreSQL (Recommended)"})
				r.WantAnswers(typed, []string{"The Bridge"})
				r.WantAnswers(several, []string{"Go", "Zig"})
				if n := len(r.Journal(storage.EntryAnswered)); n != 3 || r.Telegram.Pending() != 0 {
					t.Errorf("%d answers were taken, %d updates wait", n, r.Telegram.Pending())
				}
				r.RedeliverLast()
				r.WantReady()
			})
		})
	}
}

// An update that was handled while the disk was full is not stored as such. When its id comes again after a week, it is another one's.
func TestUpdateIDs_WeekAfterAFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rig.NewStopped(t, opencode.VersionNew, nil)
		var full atomic.Bool
		r.Wrap = func(out daemon.Outside) daemon.Outside {
			out.Store.Write = func(write func() error) error {
				if full.Load() {
					return syscall.ENOSPC
				}
				return write()
			}
			return out
		}
		r.Start()
		defer r.End()
		r.Say("/start", 0)
		request, _ := r.Ask(rig.DatabaseQuestion())
		full.Store(true)
		r.Tap("2.")
		unstored := r.Telegram.LastUpdateID()
		r.Wait(10 * time.Minute)
		full.Store(false)
		r.Opencode.AnswerAtTUI(request, [][]string{{"SQLite"}})
		r.Wait(8 * 24 * time.Hour)
		r.JumpUpdateID(unstored)
		_, tapped := r.Ask(rig.DatabaseQuestion())
		r.Tap("2.")
		if got := r.Telegram.LastUpdateID(); got != unstored {
			t.Fatalf("the tap is update %d, not %d", got, unstored)
		}
		r.Wait(time.Minute)
		r.WantAnswers(tapped, []string{"PostgreSQL (Recommended)"})
		alerts := r.Telegram.Alerts()
		if last := alerts[len(alerts)-1]; last.Callback == "" || len(alerts) < 2 {
			t.Errorf("the tap was not acknowledged: %v", alerts)
		}
	})
}

// TestUpdateIDs_KilledAfterAJump kills hermes at each of its operations from the jump on.
func TestUpdateIDs_KilledAfterAJump(t *testing.T) {
	everyKill(t, "a jump", jumpLife)
}

func jumpLife(t *testing.T, k *rig.Killer) string {
	r := rig.NewStopped(t, opencode.VersionNew, nil)
	r.Wrap = k.Around
	k.PauseCount()
	l := &rig.Life{Rig: r, Killer: k}
	r.Start()
	r.Say("/start", 0)
	r.Wait(time.Minute)
	r.JumpUpdateID(3_000_001)
	k.StartCount()
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
	l.WantEnd([][]string{{"PostgreSQL (Recommended)"}, {"The Bridge"}}, "✅")
	if n := r.Telegram.Pending(); n != 0 {
		t.Errorf("%d updates wait", n)
	}
	if t.Failed() {
		t.Logf("killed at operation %d, %s, with its effect: %v", k.At, what, k.After)
	}
	r.EndAfterKill(what)
	return what
}
