package pending

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"hermes/internal/question"
	"hermes/internal/storage"
)

func TestOpen_FileIsForItsOwnerAlone(t *testing.T) {
	ofFile(t)
	path := dbPath(t)
	s := open(t, path)
	for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if got := mode(t, name); got != want {
			t.Errorf("%s has mode %o, want %o", name, got, want)
		}
	}
	s.Close()
	for name, perm := range map[string]os.FileMode{path: 0o666, filepath.Dir(path): 0o755} {
		if err := os.Chmod(name, perm); err != nil {
			t.Fatal(err)
		}
	}
	open(t, path)
	if got := mode(t, path); got != 0o600 {
		t.Errorf("an existing file has mode %o, want 600", got)
	}
	if got := mode(t, filepath.Dir(path)); got != 0o755 {
		t.Errorf("an existing directory was changed to %o: it may be anybody's", got)
	}
}

func mode(t *testing.T, name string) os.FileMode {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestOpen_OneProcessAtATime(t *testing.T) {
	ofFile(t)
	s := open(t, dbPath(t))
	start := time.Now()
	_, err := Open(s.path, Options{})
	if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), "another hermes") || !strings.Contains(err.Error(), s.path) {
		t.Errorf("got %v", err)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	commit(t, s, storage.Change{Threads: []question.Thread{thread(1)}})
}

// Another process may put a new file in place while this one waits for the lock
// of the old. Then the new one is in use, and the old one must not be written.
func TestOpen_LocksTheFileThatIsThere(t *testing.T) {
	ofFile(t)
	old := open(t, dbPath(t))
	old.Close()
	aside := old.path + ".aside"
	first := &opener{database: &database{path: old.path, options: Options{NoSync: true}}}
	if err := first.attach(); err != nil {
		t.Fatal(err)
	}
	opened := make(chan error)
	go func() {
		waits := &opener{database: &database{path: old.path, options: Options{NoSync: true}}}
		opened <- waits.attach()
	}()
	waitForOpener(t, old.path)
	if err := errors.Join(os.Rename(old.path, aside), os.WriteFile(old.path, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	first.detach()
	if err := <-opened; !errors.Is(err, ErrLocked) {
		t.Errorf("got %v, want ErrLocked", err)
	}
}

// A file that was closed to be rewritten, and that another process took then, is closed when the open fails.
func TestOpener_DetachesOnce(t *testing.T) {
	ofFile(t)
	closed := open(t, dbPath(t))
	closed.Close()
	o := &opener{database: &database{path: closed.path, options: Options{NoSync: true}}}
	if err := o.attach(); err != nil {
		t.Fatal(err)
	}
	o.detach()
	o.detach()
	if o.db != nil {
		t.Error("it is open")
	}
}

// waitForOpener waits until the file is open twice, and stays so: who looks first whether
// it is a database opens it for a moment.
func waitForOpener(t *testing.T, path string) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for seen := 0; seen < 1000; seen++ {
		if openCount(t, path) != 2 {
			seen = 0
		}
		if time.Now().After(deadline) {
			t.Fatal("the file was not opened")
		}
	}
}

// openCount is how many times this process has the file open.
func openCount(t *testing.T, path string) (n int) {
	t.Helper()
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("this system does not tell what is open")
	}
	for _, fd := range fds {
		if name, _ := os.Readlink("/proc/self/fd/" + fd.Name()); name == path {
			n++
		}
	}
	return n
}

func TestOpen_LeavesRefusedFilesAlone(t *testing.T) {
	ofFile(t)
	for name, c := range map[string]struct {
		write func(*bolt.Tx) error
		want  error
		says  string
	}{
		"newer": {func(tx *bolt.Tx) error {
			b, err := tx.CreateBucket([]byte(bucketMeta))
			return errors.Join(err, b.Put([]byte(metaSchema), []byte("99")))
		}, ErrNewer, "schema 99, and this one knows"},
		"newer, with more in it": {func(tx *bolt.Tx) error {
			b, err := tx.CreateBucket([]byte(bucketMeta))
			err = errors.Join(err, b.Put([]byte(metaSchema), []byte("99")))
			for _, name := range []string{bucketOpen, "moods", "dreams\x1b"} {
				_, more := tx.CreateBucket([]byte(name))
				err = errors.Join(err, more)
			}
			return err
		}, ErrNewer, `cannot read what is kept there as "dreams\x1b", "moods"; nothing was changed`},
		"another program's": {func(tx *bolt.Tx) error {
			_, err := tx.CreateBucket([]byte("users"))
			return err
		}, ErrForeign, "HERMES_DB"},
		"another program's meta": {func(tx *bolt.Tx) error {
			_, err := tx.CreateBucket([]byte(bucketMeta))
			return err
		}, ErrForeign, "HERMES_DB"},
	} {
		path := filepath.Join(t.TempDir(), "hermes.db")
		db, err := bolt.Open(path, 0o600, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(db.Update(c.write), db.Close()); err != nil {
			t.Fatal(err)
		}
		before, _ := os.ReadFile(path)
		_, err = Open(path, Options{})
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
		if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
			t.Errorf("%s: the file was changed", name)
		}
		if files, _ := filepath.Glob(path + "*"); len(files) != 1 {
			t.Errorf("%s: there are files %v", name, files)
		}
	}
}

func TestOpen_SaysWhatIsWrong(t *testing.T) {
	ofFile(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", dir, filepath.Join(file, "hermes.db")} {
		s, err := Open(path, Options{})
		if err == nil {
			s.Close()
			t.Errorf("%q was opened", path)
		} else if !strings.Contains(err.Error(), "HERMES_DB") {
			t.Errorf("%q: %v does not name the setting", path, err)
		}
	}
}

func TestOpen_AfterACrashAtFirst(t *testing.T) {
	ofFile(t)
	path := filepath.Join(t.TempDir(), "hermes.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if s := open(t, path); s.AtOpen().Recovered != "" {
		t.Errorf("an empty file is no damage: %s", s.AtOpen().Recovered)
	}
	path += "2"
	db, err := bolt.Open(path, 0o600, nil) // bbolt's first pages, and none of hermes' buckets
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	s := open(t, path)
	commit(t, s, storage.Change{Threads: []question.Thread{thread(1)}})
}

func TestOpen_RewritesAMostlyEmptyFile(t *testing.T) {
	ofFile(t)
	s := open(t, dbPath(t))
	commit(t, s, storage.Change{Threads: []question.Thread{thread(1)}, Entries: entries(3)})
	put(t, s, updates(1))
	big := thread(2)
	big.Request.Items = []question.Item{{Text: strings.Repeat("x", compactFrom)}}
	commit(t, s, storage.Change{Threads: []question.Thread{big}})
	if s = reopen(t, s); size(t, s.path) <= compactFrom {
		t.Fatalf("a full file was made %d bytes small", size(t, s.path))
	}
	commit(t, s, storage.Change{Threads: []question.Thread{thread(2)}})
	if err := os.WriteFile(s.path+".compact", []byte("from a try that was cut off"), 0o600); err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s)
	if n := size(t, s.path); n > 1<<20 {
		t.Errorf("the file still has %d bytes", n)
	}
	if got := mode(t, s.path); got != 0o600 {
		t.Errorf("its mode is %o", got)
	}
	threads, err := s.Threads()
	inbox, err2 := s.Inbox()
	if len(threads) != 2 || len(inbox) != 1 || errors.Join(err, err2, s.Verify()) != nil {
		t.Errorf("after it: %d threads, %d updates, %v", len(threads), len(inbox), errors.Join(err, err2, s.Verify()))
	}
	if files, _ := filepath.Glob(s.path + "?*"); len(files) != 0 {
		t.Errorf("left over: %v", files)
	}
	commit(t, s, storage.Change{Threads: []question.Thread{thread(3)}})
	if _, err := Open(s.path, Options{}); !errors.Is(err, ErrLocked) {
		t.Errorf("a rewritten file is not locked: %v", err)
	}
}

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

func TestStore_ClosedFails(t *testing.T) {
	s := open(t, dbPath(t))
	s.Close()
	if err := s.Commit(storage.Change{Threads: []question.Thread{thread(1)}}); err == nil {
		t.Error("a closed store took a change")
	}
	if _, err := s.Threads(); err == nil {
		t.Error("a closed store was read")
	}
}

func TestStore_Schema(t *testing.T) {
	s := open(t, dbPath(t))
	if got, err := s.Schema(); err != nil || got != schemaVersion {
		t.Errorf("got %d, %v", got, err)
	}
	s.Close()
	if got, err := s.Schema(); err == nil {
		t.Errorf("of a closed file it is %d", got)
	}
}
