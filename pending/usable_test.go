package pending

import (
	"bytes"
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

// boltFile is a database of another program.
func boltFile(t *testing.T, path string, o bolt.Options) {
	t.Helper()
	db, err := bolt.Open(path, 0o644, &o)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucket([]byte("users"))
		for _, key := range []string{"ada", "bob"} {
			err = errors.Join(err, b.Put([]byte(key), bytes.Repeat([]byte(key), 3000)))
		}
		return err
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// What is not hermes' own file is refused by all that opens one, in a sentence, and is
// as it was: its bytes, its mode, its time, and its name.
func TestUsable_RefusesWhatIsNotHermes(t *testing.T) {
	ofFile(t)
	write := func(content []byte) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			if err := os.WriteFile(path, content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	link := func(to func(t *testing.T) string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			if err := os.Symlink(to(t), path); err != nil {
				t.Fatal(err)
			}
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
	}{
		"notes":      {write([]byte(strings.Repeat("notes of mine\n", 600))), ErrForeign},
		"one byte":   {write([]byte("x")), ErrForeign},
		"zeros, end": {write(append(make([]byte, 100_000), 1)), ErrForeign},
		"SQLite":     {write(append([]byte("SQLite format 3\x00"), make([]byte, 8176)...)), ErrForeign},
		"another program's bbolt": {func(t *testing.T, path string) {
			boltFile(t, path, bolt.Options{})
		}, ErrForeign},
		"the same, whose free pages bbolt would write when it opens": {func(t *testing.T, path string) {
			boltFile(t, path, bolt.Options{NoFreelistSync: true})
		}, ErrForeign},
		"the same, with other pages": {func(t *testing.T, path string) {
			boltFile(t, path, bolt.Options{PageSize: 16 << 10})
		}, ErrForeign},
		"the same, damaged": {func(t *testing.T, path string) {
			boltFile(t, path, bolt.Options{})
			spoilBelowRoot(t, path)
		}, ErrForeign},
		"a fifo":            {func(_ *testing.T, path string) { _ = syscall.Mkfifo(path, 0o644) }, ErrForeign},
		"a directory":       {func(_ *testing.T, path string) { _ = os.Mkdir(path, 0o755) }, ErrForeign},
		"a link to its own": {link(own), ErrLink},
		"a link to nothing": {link(func(t *testing.T) string { return filepath.Join(t.TempDir(), "none") }), ErrLink},
		"a link to notes": {link(func(t *testing.T) string {
			p := filepath.Join(t.TempDir(), "notes")
			write([]byte("notes"))(t, p)
			return p
		}), ErrLink},
		"a link to a link":    {link(func(t *testing.T) string { p := filepath.Join(t.TempDir(), "l"); link(own)(t, p); return p }), ErrLink},
		"a link to a special": {link(func(*testing.T) string { return "/dev/zero" }), ErrLink},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "hermes.db")
			c.make(t, path)
			old := time.Now().Add(-time.Hour).Truncate(time.Second)
			if c.want != ErrLink {
				if err := os.Chtimes(path, old, old); err != nil {
					t.Fatal(err)
				}
			}
			was := stateOf(t, path)
			for op, open := range map[string]func(string) (*Store, error){
				"Open": func(path string) (*Store, error) { return Open(path, Options{NoSync: true}) }, "Read": Read,
			} {
				s, err := open(path)
				if err == nil {
					s.Close()
				}
				if !errors.Is(err, c.want) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "set HERMES_DB to") {
					t.Errorf("%s: %v", op, err)
				}
			}
			if is := stateOf(t, path); is != was {
				t.Errorf("it was %q and is %q", was, is)
			}
		})
	}
}

// spoilBelowRoot damages all pages but the meta pages and the one where everything begins.
func spoilBelowRoot(t *testing.T, path string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	p := &pages{file: file, size: uint64(os.Getpagesize()), seen: map[uint64]bool{}}
	p.meta()
	for id := uint64(2); id < p.high; id++ {
		if id != p.root {
			damageFile(t, path, int64(id*p.size), bytes.Repeat([]byte{0xff}, int(p.size)))
		}
	}
}

// stateOf is all that may not change of a file and of the directory that it is in.
func stateOf(t *testing.T, path string) string {
	t.Helper()
	var b strings.Builder
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b.WriteString(f.Name() + " ")
	}
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	b.WriteString(info.Mode().String() + " " + info.ModTime().String())
	if to, err := os.Readlink(path); err == nil {
		b.WriteString(" " + to)
		if info, err := os.Stat(path); err == nil {
			b.WriteString(" " + info.Mode().String() + " " + info.ModTime().String())
		}
	}
	if at, err := os.Stat(path); err == nil && at.Mode().IsRegular() {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, " %x", sha256.Sum256(content))
	}
	return b.String()
}

func TestUsable_DirectoryAboveMayBeALink(t *testing.T) {
	ofFile(t)
	real, link := t.TempDir(), filepath.Join(t.TempDir(), "state")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	s := open(t, filepath.Join(link, "hermes.db"))
	commit(t, s, storage.Change{Threads: []question.Thread{thread(1)}})
	s.Close()
	damageFile(t, filepath.Join(real, "hermes.db"), int64(2*os.Getpagesize()), bytes.Repeat([]byte{0xff}, 16<<10))
	open(t, filepath.Join(link, "hermes.db"))
	if files, _ := filepath.Glob(filepath.Join(real, "hermes.db.corrupt-*")); len(files) != 1 {
		t.Errorf("moved aside: %v", files)
	}
}

// A damaged file keeps what is in it from others too.
func TestOpen_MovedFileIsForItsOwnerAlone(t *testing.T) {
	ofFile(t)
	path, _ := fullFile(t)
	if err := errors.Join(os.Chmod(path, 0o664), os.Truncate(path, int64(3*os.Getpagesize()))); err != nil {
		t.Fatal(err)
	}
	open(t, path)
	moved, _ := filepath.Glob(path + ".corrupt-*")
	if len(moved) != 1 || mode(t, moved[0]) != 0o600 {
		t.Errorf("moved aside: %v", moved)
	}
}
