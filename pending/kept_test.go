package pending

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/pending/kv"
)

// docs/database.md says of every bucket what adds to it and what takes out of it, and of no other.
func TestBuckets_AreDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/database.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "\n## How long things are kept\n")
	table, _, _ = strings.Cut(table, "\n## ")
	told := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| ([^|]+) \\| ([^|]+) \\| [^|]*\\|$").FindAllStringSubmatch(table, -1) {
		if told[row[1]] {
			t.Errorf("%s stands twice", row[1])
		}
		told[row[1]] = true
	}
	if !found || len(told) != len(bucketNames()) {
		t.Errorf("%d buckets are documented, of %d", len(told), len(bucketNames()))
	}
	for _, name := range bucketNames() {
		if !told[name] {
			t.Errorf("docs/database.md does not say what adds to %s, and what takes out of it", name)
		}
	}
}

// A turn whose end is never heard of, as its OpenCode does not come back, is forgotten as what was said is. One that
// nobody knows the beginning of is kept.
func TestPrune_WatchesThatNeverEnd(t *testing.T) {
	s, now := open(t, dbPath(t)), time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	watch := func(id session.ID, since time.Time) remote.TurnWatch {
		return remote.TurnWatch{Session: id, Since: since, Origin: session.Origin{Way: session.Link}}
	}
	commit(t, s, storage.Change{TurnWatches: []remote.TurnWatch{
		watch("ses_old", now.Add(-time.Hour)), watch("ses_new", now), watch("ses_unknown", time.Time{}),
	}})
	if n, err := s.PruneSaid(now.Add(-time.Minute)); n != 1 || err != nil {
		t.Errorf("%d are gone, %v", n, err)
	}
	d, err := s.SessionRecords()
	if err != nil || len(d.TurnWatches) != 2 || d.TurnWatches[0].Session != "ses_new" || d.TurnWatches[1].Session != "ses_unknown" {
		t.Errorf("%+v, %v", d.TurnWatches, err)
	}
}

// A file is rewritten when more than half of it is free, and not when less is.
func TestCompact_WhenItPays(t *testing.T) {
	ofFile(t)
	for name, c := range map[string]struct {
		keep, drop int // bytes
		rewritten  bool
	}{
		"mostly free":   {compactFrom / 2, compactFrom, true},
		"mostly in use": {compactFrom, compactFrom / 2, false},
		"small":         {0, compactFrom / 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := mostlyFree(t, c.keep, c.drop)
			for _, rewritten := range []bool{c.rewritten, false} { // and once is enough
				was, _ := pageBytes(fileOf(t, s))
				s = reopen(t, s)
				if now, _ := pageBytes(fileOf(t, s)); (now < was) != rewritten {
					t.Errorf("of %d bytes it is %d", was, now)
				}
			}
		})
	}
}

// mostlyFree is a database in which so many bytes are in use, and so many were.
func mostlyFree(t *testing.T, keep, drop int) *Store {
	t.Helper()
	s := open(t, dbPath(t))
	commit(t, s, storage.Change{Threads: []question.Thread{thread(1)}, Entries: entries(3)})
	const each = 64 << 10
	large := make([]question.Thread, (keep+drop)/each)
	for n := range large {
		large[n] = thread(100 + n)
		large[n].Request.Items = []question.Item{{Text: strings.Repeat("x", each)}}
	}
	commit(t, s, storage.Change{Threads: large})
	raw(t, s, func(tx kv.Tx) error {
		for _, t := range large[keep/each:] {
			if err := removeThread(tx, t.ID); err != nil {
				return err
			}
		}
		return nil
	})
	commit(t, s, storage.Change{Threads: []question.Thread{thread(2), thread(3)}})
	return s
}

// Wherever a rewrite is killed, the next start finds the database: the old file with what was written since, or the
// new one.
func TestCompact_KilledInBetween(t *testing.T) {
	ofFile(t)
	for name, kill := range map[string]func(path string, copied []byte) error{
		"while it copies": func(path string, copied []byte) error {
			return os.WriteFile(path+".compact", copied[:len(copied)/2], 0o600)
		},
		"before the rename":   func(path string, copied []byte) error { return os.WriteFile(path+".compact", copied, 0o600) },
		"behind the rename":   func(path string, copied []byte) error { return os.Rename(path+".compact", path) },
		"and another program": func(path string, _ []byte) error { return os.WriteFile(path+".compact", []byte("notes"), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			s := mostlyFree(t, 0, 2*compactFrom)
			o := &opener{database: s.database, file: fileOf(t, s)}
			if err := o.copyTo(s.path + ".compact"); err != nil {
				t.Fatal(err)
			}
			copied, err := os.ReadFile(s.path + ".compact")
			if err != nil {
				t.Fatal(err)
			}
			path, want := s.path, 3
			if name != "behind the rename" { // an old copy must not win
				want++
				commit(t, s, storage.Change{Threads: []question.Thread{thread(4)}, Entries: entries(1)})
			}
			if err := errors.Join(s.Close(), kill(path, copied)); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				s = open(t, path)
				threads, err := s.Threads()
				if err != nil || len(threads) != want || s.Verify() != nil || s.AtOpen().Recovered != "" {
					t.Errorf("%d threads, %v, %v, %q", len(threads), err, s.Verify(), s.AtOpen().Recovered)
				}
				if n := size(t, path); n > compactFrom {
					t.Errorf("it still has %d bytes", n)
				}
				s.Close()
			}
			if left, _ := filepath.Glob(path + "?*"); len(left) != 0 {
				t.Errorf("left over: %v", left)
			}
		})
	}
}
