package pending

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"
	"time"

	"hermes/internal/storage"
	"hermes/pending/kv"
)

func entries(n int) []storage.Entry {
	list := make([]storage.Entry, n)
	for i := range list {
		list[i] = storage.Entry{
			At: time.Date(2026, 11, 21, 0, 0, i, 0, time.UTC), Kind: storage.EntryAsked,
			Thread: thread(i).ID, Request: thread(i).Request.ID, Detail: fmt.Sprint(i),
		}
	}
	return list
}

func TestJournal_IsNumberedAndChained(t *testing.T) {
	s := open(t, dbPath(t))
	for range 3 {
		commit(t, s, storage.Change{Entries: entries(400)})
		s = reopen(t, s)
	}
	var hash Hash
	next := uint64(1)
	err := s.Journal(0, func(l Line) error {
		hash = sha256.Sum256(append(hash[:], l.Raw...))
		if l.Number != next || l.Hash != hash || l.Entry.Detail != fmt.Sprint((next-1)%400) {
			return fmt.Errorf("line %d is %+v", next, l)
		}
		next++
		return nil
	})
	if err != nil || next != 1201 {
		t.Errorf("%d lines, %v", next-1, err)
	}
	if err := s.Verify(); err != nil {
		t.Error(err)
	}
}

func TestJournal_FromANumber(t *testing.T) {
	s := open(t, dbPath(t))
	commit(t, s, storage.Change{Entries: entries(10)})
	stop := errors.New("stop")
	var got []uint64
	err := s.Journal(7, func(l Line) error {
		got = append(got, l.Number)
		if l.Number == 9 {
			return stop
		}
		return s.Beat(time.Now()) // the Store can be used meanwhile
	})
	if err != stop || fmt.Sprint(got) != "[7 8 9]" {
		t.Errorf("lines %v, %v", got, err)
	}
	if err := s.Journal(11, func(Line) error { return stop }); err != nil {
		t.Errorf("behind the end: %v", err)
	}
}

func TestVerify_NamesTheEntry(t *testing.T) {
	value := func(b kv.Bucket, n int64) []byte { return append([]byte{}, b.Get(numberKey(n))...) }
	for name, c := range map[string]struct {
		tamper func(journal, meta kv.Bucket) error
		want   uint64
	}{
		"a changed word": {func(j, _ kv.Bucket) error {
			v := value(j, 4)
			v[len(v)-3] ^= 1
			return j.Put(numberKey(4), v)
		}, 4},
		"a changed word with its hash": {func(j, _ kv.Bucket) error {
			v, before := value(j, 4), Hash(value(j, 3)[:32])
			v[len(v)-3] ^= 1
			hash := before.next(v[32:])
			return j.Put(numberKey(4), append(hash[:], v[32:]...))
		}, 5},
		"a last entry with its hash": {func(j, _ kv.Bucket) error {
			v, before := value(j, 10), Hash(value(j, 9)[:32])
			v[len(v)-3] ^= 1
			hash := before.next(v[32:])
			return j.Put(numberKey(10), append(hash[:], v[32:]...))
		}, 10},
		"a removed entry": {func(j, _ kv.Bucket) error { return j.Delete(numberKey(6)) }, 6},
		"a removed first": {func(j, _ kv.Bucket) error { return j.Delete(numberKey(1)) }, 1},
		"a removed last":  {func(j, _ kv.Bucket) error { return j.Delete(numberKey(10)) }, 10},
		"two swapped entries": {func(j, _ kv.Bucket) error {
			a, b := value(j, 2), value(j, 8)
			return errors.Join(j.Put(numberKey(2), b), j.Put(numberKey(8), a))
		}, 2},
		"an added entry": {func(j, _ kv.Bucket) error {
			hash := Hash(value(j, 10)[:32]).next([]byte("{}"))
			return j.Put(numberKey(11), append(hash[:], "{}"...))
		}, 11},
		"a short entry":  {func(j, _ kv.Bucket) error { return j.Put(numberKey(3), []byte("x")) }, 3},
		"a missing head": {func(_, m kv.Bucket) error { return m.Delete([]byte(metaHead)) }, 1},
		"number zero":    {func(j, _ kv.Bucket) error { return j.Put(numberKey(0), value(j, 1)) }, 1},
	} {
		s := open(t, dbPath(t))
		commit(t, s, storage.Change{Entries: entries(10)})
		raw(t, s, func(tx *tx) error {
			return c.tamper(tx.Bucket(bucketJournal), tx.Bucket(bucketMeta))
		})
		err := s.Verify()
		if b := (*Broken)(nil); !errors.As(err, &b) || b.Number != c.want {
			t.Errorf("%s: Verify says %v, want entry %d", name, err, c.want)
		}
	}
}

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
	raw(t, s, func(tx *tx) error { return tx.Bucket(bucketJournal).Delete(numberKey(6)) })
	var broken *Broken
	if err := s.Verify(); !errors.As(err, &broken) || broken.Number != 6 {
		t.Errorf("verified as %v", err)
	}
}
