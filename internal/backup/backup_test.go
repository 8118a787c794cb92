package backup_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/internal/backup"
	"hermes/internal/storage"
	"hermes/pending"
)

// source is a database with a journal.
func source(t *testing.T) *pending.Store {
	t.Helper()
	s, err := pending.Open(filepath.Join(t.TempDir(), "hermes.db"), pending.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	e := storage.Entry{At: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), Kind: storage.EntryReloaded}
	if err := s.Commit(storage.Change{Entries: []storage.Entry{e, e}}); err != nil {
		t.Fatal(err)
	}
	return s
}

func copyOf(s *pending.Store) func(io.Writer) error {
	return func(w io.Writer) error { return s.Backup(w, func(int64) {}) }
}

// due reports whether the folder is to have a new copy.
func due(f backup.Folder, now time.Time) (bool, error) {
	at, err := f.Newest(now)
	return err == nil && backup.Due(at, now), err
}

func namesIn(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestWrite(t *testing.T) {
	s, dir := source(t), t.TempDir()
	path := filepath.Join(dir, "copy.db")
	c, err := backup.Write(path, false, copyOf(s))
	if err != nil || c.Chain.Entries != 2 || c.Broken != nil || c.Schema != 2 || c.Bytes == 0 || !c.At.Equal(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)) {
		t.Fatalf("%+v, %v", c, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 || info.Size() != c.Bytes {
		t.Errorf("the file: %v, %v", info, err)
	}
	was, _ := os.ReadFile(path)
	if _, err := backup.Write(path, false, copyOf(s)); !errors.Is(err, backup.ErrExists) {
		t.Errorf("a second one of the name: %v", err)
	}
	broken := errors.New("the line was cut")
	for name, fill := range map[string]func(io.Writer) error{
		"cut off": func(w io.Writer) error { _, err := w.Write(was[:len(was)/2]); return errors.Join(err, broken) },
		"short":   func(w io.Writer) error { _, err := w.Write(was[:len(was)-1]); return err },
		"empty":   func(io.Writer) error { return nil },
		"text":    func(w io.Writer) error { _, err := w.Write([]byte("no database")); return err },
	} {
		if _, err := backup.Write(path, true, fill); err == nil {
			t.Errorf("%s: it is taken for a backup", name)
		}
	}
	if is, err := os.ReadFile(path); err != nil || string(is) != string(was) {
		t.Errorf("the file that was there is another one: %v", err)
	}
	if _, err := backup.Write(path, true, copyOf(s)); err != nil {
		t.Errorf("replaced: %v", err)
	}
	if got := namesIn(t, dir); got != "copy.db" {
		t.Errorf("left behind: %s", got)
	}
}

func TestFolder(t *testing.T) {
	s, dir := source(t), filepath.Join(t.TempDir(), "backups")
	f := backup.Folder{Path: dir, Of: "42", Keep: 2}
	begin := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	if at, err := f.Newest(begin); !at.IsZero() || err != nil {
		t.Errorf("the newest of none: %v, %v", at, err)
	}
	for day := range 4 {
		now := begin.Add(time.Duration(day) * backup.Every)
		if is, err := due(f, now); !is || err != nil {
			t.Errorf("day %d: due %v, %v", day, is, err)
		}
		if _, err := f.Make(now, copyOf(s)); err != nil {
			t.Fatal(err)
		}
		if is, err := due(f, now.Add(backup.Every-time.Second)); is || err != nil {
			t.Errorf("day %d, later: due %v, %v", day, is, err)
		}
		if day == 0 {
			killed := []string{".hermes-42-20261120T120000Z.db.123", ".hermes-42-20261130T110000Z.db.456"} // the second may be at work: it is less than a day old
			for _, name := range append(killed, "hermes-old.db", "hermes-42-20200101T000000Z.db.txt", "notes", "hermes-7-20200101T000000Z.db", ".hermes-7-20200101T000000Z.db.9") {
				if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	want := ".hermes-42-20261130T110000Z.db.456 .hermes-7-20200101T000000Z.db.9 hermes-42-20200101T000000Z.db.txt " +
		"hermes-42-20261123T120000Z.db hermes-42-20261124T120000Z.db hermes-7-20200101T000000Z.db hermes-old.db notes"
	if got := namesIn(t, dir); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if at, err := f.Newest(begin.Add(3 * backup.Every)); !at.Equal(begin.Add(3*backup.Every)) || err != nil {
		t.Errorf("the newest: %v, %v", at, err)
	}
	if is, _ := due(f, begin); !is {
		t.Error("copies of the future keep new ones from being made")
	}
	// One that fails removes none.
	if _, err := f.Make(begin.Add(9*backup.Every), func(io.Writer) error { return errors.New("no") }); err == nil || namesIn(t, dir) != want {
		t.Errorf("%v, %s", err, namesIn(t, dir))
	}
}

// Copies that were made while the clock was ahead take no place from those that are made now: they go first, and say nothing of when
// the newest was made.
func TestFolder_AfterTheClockWasPutBack(t *testing.T) {
	s, dir := source(t), t.TempDir()
	f := backup.Folder{Path: dir, Of: "42", Keep: 2}
	begin := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for day := range 2 {
		if _, err := f.Make(begin.AddDate(10, 0, day), copyOf(s)); err != nil {
			t.Fatal(err)
		}
	}
	for day, want := range []string{
		"hermes-42-20261121T120000Z.db hermes-42-20361122T120000Z.db",
		"hermes-42-20261121T120000Z.db hermes-42-20261122T120000Z.db",
		"hermes-42-20261122T120000Z.db hermes-42-20261123T120000Z.db",
	} {
		now := begin.AddDate(0, 0, day)
		if is, err := due(f, now); !is || err != nil {
			t.Errorf("day %d: due %v, %v", day, is, err)
		}
		if _, err := f.Make(now, copyOf(s)); err != nil {
			t.Fatal(err)
		}
		if got := namesIn(t, dir); got != want {
			t.Errorf("day %d: %s\nwant %s", day, got, want)
		}
		if at, err := f.Newest(now); !at.Equal(now) || err != nil {
			t.Errorf("day %d: the newest is of %v, %v", day, at, err)
		}
		if is, err := due(f, now.Add(time.Hour)); is || err != nil {
			t.Errorf("day %d: due again after an hour: %v, %v", day, is, err)
		}
	}
}
