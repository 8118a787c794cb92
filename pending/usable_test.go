package pending

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"hermes/internal/question"
	"hermes/internal/storage"
)

// boltFile makes a file of bbolt with what is written to it.
func boltFile(o bolt.Options, write func(*bolt.Tx) error) func(*testing.T, string) {
	return func(t *testing.T, path string) {
		db, err := bolt.Open(path, 0o644, &o)
		must(t, err)
		must(t, errors.Join(db.Update(write), db.Close()))
	}
}

// users is what another program writes.
func users(tx *bolt.Tx) error {
	b, err := tx.CreateBucket([]byte("users"))
	for _, key := range []string{"ada", "bob"} {
		err = errors.Join(err, b.Put([]byte(key), bytes.Repeat([]byte(key), 3000)))
	}
	return err
}

// ofSchema is what a hermes writes of a schema that this one does not know, with more buckets.
func ofSchema(more ...string) func(*bolt.Tx) error {
	return func(tx *bolt.Tx) error {
		b, err := tx.CreateBucket([]byte(bucketMeta))
		err = errors.Join(err, b.Put([]byte(metaSchema), []byte("99")))
		for _, name := range more {
			_, e := tx.CreateBucket([]byte(name))
			err = errors.Join(err, e)
		}
		return err
	}
}

// What is not hermes' own file, or a newer hermes', is refused by all that opens one, in a sentence, and is
// as it was: its bytes, its mode, its time, and its name.
func TestUsable_RefusesWhatIsNotHermes(t *testing.T) {
	ofFile(t)
	write := func(content []byte) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			must(t, os.WriteFile(path, content, 0o644))
		}
	}
	link := func(to func(t *testing.T) string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			must(t, os.Symlink(to(t), path))
		}
	}
	own := func(t *testing.T) string {
		s := open(t, dbPath(t))
		s.Close()
		return s.path
	}
	for name, c := range map[string]struct {
		make func(t *testing.T, path string)
		want error
		says string // "": which setting to change
	}{
		"notes":                   {write([]byte(strings.Repeat("notes of mine\n", 600))), ErrForeign, ""},
		"one byte":                {write([]byte("x")), ErrForeign, ""},
		"zeros, end":              {write(append(make([]byte, 100_000), 1)), ErrForeign, ""},
		"SQLite":                  {write(append([]byte("SQLite format 3\x00"), make([]byte, 8176)...)), ErrForeign, ""},
		"another program's bbolt": {boltFile(bolt.Options{}, users), ErrForeign, ""},
		"the same, whose free pages bbolt would write when it opens": {boltFile(bolt.Options{NoFreelistSync: true}, users), ErrForeign, ""},
		"the same, with other pages":                                 {boltFile(bolt.Options{PageSize: 16 << 10}, users), ErrForeign, ""},
		"another program's meta": {boltFile(bolt.Options{}, func(tx *bolt.Tx) error {
			_, err := tx.CreateBucket([]byte(bucketMeta))
			return err
		}), ErrForeign, ""},
		"newer": {boltFile(bolt.Options{}, ofSchema()), ErrNewer, "schema 99, and this one knows"},
		"newer, with more in it": {
			boltFile(bolt.Options{}, ofSchema(bucketOpen, "moods", "dreams\x1b")), ErrNewer,
			`cannot read what is kept there as "dreams\x1b", "moods"; nothing was changed`,
		},
		"a fifo":            {func(_ *testing.T, path string) { _ = syscall.Mkfifo(path, 0o644) }, ErrForeign, ""},
		"a directory":       {func(_ *testing.T, path string) { _ = os.Mkdir(path, 0o755) }, ErrForeign, ""},
		"a link to its own": {link(own), ErrLink, ""},
		"a link to nothing": {link(func(t *testing.T) string { return filepath.Join(t.TempDir(), "none") }), ErrLink, ""},
		"a link to notes": {link(func(t *testing.T) string {
			p := filepath.Join(t.TempDir(), "notes")
			write([]byte("notes"))(t, p)
			return p
		}), ErrLink, ""},
		"a link to a link":    {link(func(t *testing.T) string { p := filepath.Join(t.TempDir(), "l"); link(own)(t, p); return p }), ErrLink, ""},
		"a link to a special": {link(func(*testing.T) string { return "/dev/zero" }), ErrLink, ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "hermes.db")
			c.make(t, path)
			old := time.Now().Add(-time.Hour).Truncate(time.Second)
			if c.want != ErrLink {
				must(t, os.Chtimes(path, old, old))
			}
			was := stateOf(t, path)
			for op, open := range map[string]func(string) (*Store, error){
				"Open": func(path string) (*Store, error) { return Open(path, Options{NoSync: true}) }, "Read": Read,
			} {
				s, err := open(path)
				if err == nil {
					s.Close()
				}
				if !errors.Is(err, c.want) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), cmp.Or(c.says, "set HERMES_DB to")) {
					t.Errorf("%s: %v", op, err)
				}
			}
			if is := stateOf(t, path); is != was {
				t.Errorf("it was %q and is %q", was, is)
			}
		})
	}
}

// stateOf is all that may not change of a file and of the directory that it is in.
func stateOf(t *testing.T, path string) string {
	t.Helper()
	var b strings.Builder
	files, err := os.ReadDir(filepath.Dir(path))
	must(t, err)
	for _, f := range files {
		b.WriteString(f.Name() + " ")
	}
	info, err := os.Lstat(path)
	must(t, err)
	b.WriteString(info.Mode().String() + " " + info.ModTime().String())
	if to, err := os.Readlink(path); err == nil {
		b.WriteString(" " + to)
		if info, err := os.Stat(path); err == nil {
			b.WriteString(" " + info.Mode().String() + " " + info.ModTime().String())
		}
	}
	if at, err := os.Stat(path); err == nil && at.Mode().IsRegular() {
		content, err := os.ReadFile(path)
		must(t, err)
		fmt.Fprintf(&b, " %x", sha256.Sum256(content))
	}
	return b.String()
}

func TestUsable_DirectoryAboveMayBeALink(t *testing.T) {
	ofFile(t)
	real, link := t.TempDir(), filepath.Join(t.TempDir(), "state")
	must(t, os.Symlink(real, link))
	s := open(t, filepath.Join(link, "hermes.db"))
	commit(t, s, storage.Change{Threads: []question.Thread{thread(1)}})
	s.Close()
	damageFile(t, filepath.Join(real, "hermes.db"), int64(2*os.Getpagesize()), bytes.Repeat([]byte{0xff}, 16<<10))
	open(t, filepath.Join(link, "hermes.db"))
	if files, _ := filepath.Glob(filepath.Join(real, "hermes.db.corrupt-*")); len(files) != 1 {
		t.Errorf("moved aside: %v", files)
	}
}
