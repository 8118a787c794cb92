package pending

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hermes/internal/question"
	"hermes/internal/storage"
)

// docs/design/store.md says of every bucket what adds to it and what takes out of it, and of no other.
func TestBuckets_AreDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/design/store.md")
	must(t, err)
	_, table, found := strings.Cut(string(text), "\n## Records\n")
	table, _, _ = strings.Cut(table, "\n## ")
	told := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| ([^|]+) \\| ([^|]+) \\|$").FindAllStringSubmatch(table, -1) {
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
			t.Errorf("docs/design/store.md does not say what adds to %s, and what takes out of it", name)
		}
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
				if now, _ := pageBytes(fileOf(t, s)); (now < was) != rewritten || mode(t, s.path) != 0o600 {
					t.Errorf("of %d bytes it is %d, with mode %o", was, now, mode(t, s.path))
				}
				if _, err := Open(s.path, Options{}); rewritten && !errors.Is(err, ErrLocked) {
					t.Errorf("a rewritten file is not locked: %v", err)
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
	raw(t, s, func(tx *tx) error {
		for _, t := range large[keep/each:] {
			removeThread(tx, t.ID)
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
			o := &opener{Store: s, file: fileOf(t, s)}
			must(t, o.copyTo(s.path+".compact"))
			copied, err := os.ReadFile(s.path + ".compact")
			must(t, err)
			path, want := s.path, 3
			if name != "behind the rename" { // an old copy must not win
				want++
				commit(t, s, storage.Change{Threads: []question.Thread{thread(4)}, Entries: entries(1)})
			}
			must(t, errors.Join(s.Close(), kill(path, copied)))
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
