package pending

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"hermes/internal/storage"
)

// filled is a closed file with ten journal entries.
func filled(t *testing.T) string {
	t.Helper()
	s := open(t, dbPath(t))
	commit(t, s, storage.Change{Entries: entries(10)})
	must(t, s.Close())
	return s.path
}

func TestRead_ChangesNothing(t *testing.T) {
	ofFile(t)
	path := filled(t)
	must(t, os.Chmod(path, 0o440))
	before, err := os.ReadFile(path)
	must(t, err)
	first, err := Read(path)
	must(t, err)
	second, err := Read(path)
	if err != nil {
		t.Fatalf("a second reader: %v", err)
	}
	n := 0
	err = first.Journal(1, func(Line) error { n++; return nil })
	if chain, broken := second.Check(); err != nil || n != 10 || broken != nil || chain.Entries != 10 {
		t.Errorf("read %d entries, %v, and checked %+v, %v", n, err, chain, broken)
	}
	if err := first.Commit(storage.Change{Entries: entries(1)}); err == nil {
		t.Error("a file that is read was written to")
	}
	if err := errors.Join(first.Close(), second.Close()); err != nil {
		t.Error(err)
	}
	after, err := os.ReadFile(path)
	files, _ := os.ReadDir(filepath.Dir(path))
	if err != nil || !bytes.Equal(before, after) || len(files) != 1 {
		t.Errorf("the file has changed, or %d files are there, %v", len(files), err)
	}
}

func TestRead_SaysWhatIsWrong(t *testing.T) {
	ofFile(t)
	held := open(t, dbPath(t)).path
	damaged := filled(t)
	must(t, os.Truncate(damaged, 9000))
	newer := open(t, dbPath(t))
	raw(t, newer, func(tx *tx) error {
		return tx.Bucket(bucketMeta).Put([]byte(metaSchema), []byte("99"))
	})
	newer.Close()
	empty := filepath.Join(t.TempDir(), "empty")
	must(t, os.WriteFile(empty, nil, 0o600))
	for name, c := range map[string]struct {
		path string
		want error
	}{
		"held":    {held, ErrLocked},
		"empty":   {empty, ErrForeign},
		"missing": {filepath.Join(t.TempDir(), "none"), fs.ErrNotExist},
		"damaged": {damaged, ErrDamaged},
		"newer":   {newer.path, ErrNewer},
	} {
		s, err := Read(c.path)
		if !errors.Is(err, c.want) || s != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCheck_SaysWhatHolds(t *testing.T) {
	ofFile(t)
	s := open(t, dbPath(t))
	if c, err := s.Check(); err != nil || c != (Chain{First: 1}) {
		t.Errorf("an empty journal: %+v, %v", c, err)
	}
	commit(t, s, storage.Change{Entries: entries(10)})
	at := func(n int) time.Time { return entries(10)[n-1].At }
	if c, err := s.Check(); err != nil || c != (Chain{10, 1, at(1), at(10)}) {
		t.Errorf("whole: %+v, %v", c, err)
	}
	if _, err := s.PruneJournal(at(4)); err != nil {
		t.Fatal(err)
	}
	if c, err := s.Check(); err != nil || c != (Chain{7, 4, at(4), at(10)}) {
		t.Errorf("pruned: %+v, %v", c, err)
	}
	raw(t, s, func(tx *tx) error {
		v := bytes.Clone(tx.Bucket(bucketJournal).Get(numberKey(6)))
		v[len(v)-3] ^= 1
		return tx.Bucket(bucketJournal).Put(numberKey(6), v)
	})
	c, err := s.Check()
	if b := (*Broken)(nil); !errors.As(err, &b) || b.Number != 6 || !b.At.Equal(at(6)) || c != (Chain{2, 4, at(4), at(5)}) {
		t.Errorf("changed: %+v, %#v", c, err)
	}
}

// What can be read before an entry that cannot is given.
func TestJournal_UpToABreak(t *testing.T) {
	ofFile(t)
	s := open(t, dbPath(t))
	commit(t, s, storage.Change{Entries: entries(10)})
	raw(t, s, func(tx *tx) error { return tx.Bucket(bucketJournal).Put(numberKey(6), []byte("x")) })
	var got []uint64
	err := s.Journal(1, func(l Line) error { got = append(got, l.Number); return nil })
	if b := (*Broken)(nil); !errors.As(err, &b) || b.Number != 6 || fmt.Sprint(got) != "[1 2 3 4 5]" {
		t.Errorf("got %v, %v", got, err)
	}
}

// Entries of a megabyte each are not read by the hundred.
func TestJournal_ReadsLargeEntriesInSmallBatches(t *testing.T) {
	ofFile(t)
	s := open(t, dbPath(t))
	large := entries(5)
	for i := range large {
		large[i].Note = string(bytes.Repeat([]byte("x"), 1<<20))
	}
	commit(t, s, storage.Change{Entries: large})
	if lines, err := s.readLines(1); err != nil || len(lines) != 1 {
		t.Errorf("%d lines at once, %v", len(lines), err)
	}
	n := 0
	if err := s.Journal(1, func(Line) error { n++; return nil }); err != nil || n != 5 {
		t.Errorf("%d lines in all, %v", n, err)
	}
}
