package daemon_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	"hermes/internal/daemon"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	"hermes/internal/storage"
	"hermes/pending"
)

// takeBackup copies the database while the daemon runs.
func takeBackup(t *testing.T, r *rig.Rig) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "backup.db")
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := r.Daemon.Store.Backup(file, func(int64) {}); err != nil {
		t.Fatal(err)
	}
	return path
}

// loseAndRestore loses the database of a daemon that was stopped, and restores the backup.
func loseAndRestore(t *testing.T, r *rig.Rig, from string) pending.Restored {
	t.Helper()
	if err := os.Remove(r.Config.DB); err != nil {
		t.Fatal(err)
	}
	restored, err := pending.Restore(from, r.Config.DB)
	if err != nil {
		t.Fatal(err)
	}
	return restored
}

// What was answered after the backup is not asked again and not sent again: OpenCode has it, and the card
// ends with what OpenCode has. What still waits is answered once.
func TestRestore_AnsweredSinceAndStillOpen(t *testing.T) {
	rig.PlayBoth(t, func(r *rig.Rig) {
		_, first := r.Ask(rig.DatabaseQuestion())
		card := r.Last().ID
		_, second := r.Ask(rig.LanguagesQuestion())
		from := takeBackup(t, r)
		r.TapOn(r.CardWith("Which database"), "2.")
		r.Wait(time.Minute)
		r.WantAnswers(first, []string{"PostgreSQL (Recommended)"})
		r.Halt()
		loseAndRestore(t, r, from)
		r.Start()
		r.Wait(2 * time.Minute)
		r.WantAnswers(first, []string{"PostgreSQL (Recommended)"})
		for _, m := range r.Telegram.Messages(rig.Ada) {
			if m.ID == card && (!strings.Contains(m.Text, "PostgreSQL") || len(m.Rows) > 0) {
				t.Errorf("the card of what was answered is\n%s", m.Text)
			}
		}
		r.WantNoAnswer(second)
		r.TapOn(r.CardWith("languages"), "☐ 1. Go")
		r.TapOn(r.CardWith("languages"), "✅ Done")
		r.Wait(time.Minute)
		r.WantAnswers(second, []string{"Go"})
		if n := len(r.Questions()); n != 0 {
			t.Errorf("%d asks are open", n)
		}
		if n := len(r.Journal(storage.EntryRestored)); n != 1 || r.Daemon.Store.Verify() != nil {
			t.Errorf("%d entries say that it was restored; %v", n, r.Daemon.Store.Verify())
		}
	})
}

// What was asked after the backup is unknown to it: it gets a card anew, and is answered by that. The card
// from before says so to whoever taps it.
func TestRestore_AskedSince(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		from := takeBackup(t, r)
		_, call := r.Ask(rig.DatabaseQuestion())
		old := r.Last()
		r.Halt()
		loseAndRestore(t, r, from)
		r.Start()
		r.Wait(time.Minute)
		if r.Last().ID == old.ID {
			t.Fatal("the question was not asked again")
		}
		if said := r.ForgeTap(rig.Ada, rig.Ada, old.ID, r.Data(old, "1.")); said != "This question is no longer available" {
			t.Errorf("a tap on the old card is met with %q", said)
		}
		r.Wait(time.Minute)
		r.WantNoAnswer(call)
		r.Tap("2.")
		r.Wait(time.Minute)
		r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
	})
}

// A decision that could be taken back when the backup was made, and was: it is not sent.
func TestRestore_HeldDecision(t *testing.T) {
	rig.Play(t, func(c *config.Config) { c.Undo = time.Minute }, func(r *rig.Rig) {
		_, call := r.Ask(rig.DatabaseQuestion())
		r.Tap("1.")
		r.Wait(5 * time.Second)
		from := takeBackup(t, r)
		r.Tap("↩️ Undo")
		r.Wait(5 * time.Second)
		r.Halt()
		if restored := loseAndRestore(t, r, from); len(restored.Undone) != 1 {
			t.Errorf("%+v", restored)
		}
		r.Start()
		r.Wait(5 * time.Minute)
		r.WantNoAnswer(call)
		r.Tap("2.")
		r.Wait(5 * time.Minute)
		r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
	})
}

// A prompt that waited when the backup was made is not sent twice, also where its session has it under an id
// that the backup does not know; who wrote it is told.
func TestRestore_PromptThatWaited(t *testing.T) {
	for name, sent := range map[string]bool{"sent since": true, "not sent": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := rig.DrivingRig(t, opencode.VersionNew, nil)
				defer c.End()
				c.UseSession()
				c.Halt()
				var away atomic.Bool
				c.Wrap = func(out daemon.Outside) daemon.Outside {
					next := out.Opencode
					out.Opencode = rig.RoundTripper(func(req *http.Request) (*http.Response, error) {
						if away.Load() {
							return nil, syscall.ECONNREFUSED
						}
						return next.RoundTrip(req)
					})
					return out
				}
				c.Start()
				away.Store(true)
				c.Rig.Say("Now the tests, please.", 0)
				c.Wait(time.Minute)
				from := takeBackup(t, c.Rig)
				var want []string
				if sent {
					want = []string{"Now the tests, please."}
					away.Store(false)
					c.Wait(5 * time.Minute)
				}
				c.WantPrompts(want...)
				c.Halt()
				if restored := loseAndRestore(t, c.Rig, from); restored.Prompts != 1 {
					t.Errorf("%+v", restored)
				}
				away.Store(false)
				c.Start()
				c.Wait(5 * time.Minute)
				c.WantPrompts(want...)
				c.CardWith("Not sent again")
			})
		})
	}
}
