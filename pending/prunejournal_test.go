package pending

import (
	"errors"
	"testing"
	"time"

	"hermes/internal/storage"
	"hermes/pending/kv"
)

func TestPruneJournal_StaysVerifiable(t *testing.T) {
	s := open(t, dbPath(t))
	commit(t, s, storage.Change{Entries: entries(1200)})
	noon := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	for _, step := range []struct{ before, want int }{{0, 0}, {700, 700}, {700, 0}, {701, 1}} {
		n, err := s.PruneJournal(noon.Add(time.Duration(step.before) * time.Second))
		if err != nil || n != step.want {
			t.Errorf("pruned %d before %d, %v", n, step.before, err)
		}
		s = reopen(t, s)
		if err := s.Verify(); err != nil {
			t.Error(err)
		}
	}
	commit(t, s, storage.Change{Entries: entries(1)})
	first, n := uint64(0), 0
	err := s.Journal(0, func(l Line) error {
		if n == 0 {
			first = l.Number
		}
		n++
		return nil
	})
	if err != nil || first != 702 || n != 500 {
		t.Errorf("%d lines from %d, %v", n, first, err)
	}
	if err := s.Verify(); err != nil {
		t.Error(err)
	}
}

func TestPruneJournal_ToNothing(t *testing.T) {
	s := open(t, dbPath(t))
	commit(t, s, storage.Change{Entries: entries(3)})
	if n, err := s.PruneJournal(time.Now().AddDate(100, 0, 0)); n != 3 || err != nil {
		t.Errorf("pruned %d, %v", n, err)
	}
	if err := s.Verify(); err != nil {
		t.Error(err)
	}
	commit(t, s, storage.Change{Entries: entries(1)})
	if err := s.Verify(); err != nil {
		t.Error(err)
	}
}

// Whoever removes the oldest entries by hand is found out.
func TestVerify_NamesTheEntryAfterPruning(t *testing.T) {
	s := open(t, dbPath(t))
	commit(t, s, storage.Change{Entries: entries(10)})
	if _, err := s.PruneJournal(entries(10)[5].At); err != nil {
		t.Fatal(err)
	}
	raw(t, s, func(tx kv.Tx) error { return tx.Bucket(bucketJournal).Delete(numberKey(6)) })
	var broken *Broken
	if err := s.Verify(); !errors.As(err, &broken) || broken.Number != 6 {
		t.Errorf("verified as %v", err)
	}
}
