package daemon

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"hermes/pending"
)

// A clock that was ahead and is put right, as on a machine that starts without a clock of its own, leaves no time in the store
// that is still to come: after a crash the time away could not be told.
func TestHeartbeat_ClockPutBack(t *testing.T) {
	store, err := pending.Open(filepath.Join(t.TempDir(), "hermes.db"), pending.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	right := time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC)
	told := make(chan time.Duration, 1)
	newBeat := func() *heartbeat {
		return &heartbeat{store: store, log: slog.New(slog.DiscardHandler), offline: func(_ context.Context, gap time.Duration) { told <- gap }}
	}
	before := newBeat()
	before.beat(right.AddDate(1, 0, 0))
	before.beat(right)
	if at, err := store.LastBeat(); err != nil || !at.Equal(right) {
		t.Errorf("the store has %v, %v, want %v", at, err, right)
	}
	newBeat().beat(right.Add(time.Hour)) // after a crash, and an hour away
	select {
	case gap := <-told:
		if gap != time.Hour {
			t.Errorf("hermes was offline for %v", gap)
		}
	case <-time.After(10 * time.Second):
		t.Error("nobody is told that taps are gone")
	}
}
