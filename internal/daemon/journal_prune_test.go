package daemon_test

import (
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	"hermes/internal/storage"
)

func TestJournal_IsKeptForAsLongAsAskedFor(t *testing.T) {
	for _, c := range []struct {
		keep time.Duration
		left int
	}{{0, 1}, {time.Hour, 0}, {24 * time.Hour, 1}} {
		rig.Play(t, func(x *config.Config) { x.JournalKeep = c.keep }, func(r *rig.Rig) {
			r.Ask(rig.DatabaseQuestion())
			r.Tap("1.")
			r.Wait(13 * time.Hour)
			if n := len(r.Journal(storage.EntryAsked)); n != c.left {
				t.Errorf("kept for %v, it has %d questions after 13 hours", c.keep, n)
			}
			if err := r.Daemon.Store.Verify(); err != nil {
				t.Error(err)
			}
		})
	}
}
