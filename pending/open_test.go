package pending

import (
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
		must(t, os.Chmod(name, perm))
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
	must(t, err)
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
	first := &opener{Store: newStore(old.path, nil, Options{NoSync: true})}
	must(t, first.attach())
	opened := make(chan error)
	go func() {
		waits := &opener{Store: newStore(old.path, nil, Options{NoSync: true})}
		opened <- waits.attach()
	}()
	waitForOpener(t, old.path)
	must(t, errors.Join(os.Rename(old.path, aside), os.WriteFile(old.path, nil, 0o600)))
	first.detach()
	if err := <-opened; !errors.Is(err, ErrLocked) {
		t.Errorf("got %v, want ErrLocked", err)
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

func TestOpen_SaysWhatIsWrong(t *testing.T) {
	ofFile(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	must(t, os.WriteFile(file, []byte("text"), 0o600))
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
	must(t, os.WriteFile(path, nil, 0o600))
	if s := open(t, path); s.AtOpen().Recovered != "" {
		t.Errorf("an empty file is no damage: %s", s.AtOpen().Recovered)
	}
	path += "2"
	db, err := bolt.Open(path, 0o600, nil) // bbolt's first pages, and none of hermes' buckets
	must(t, err)
	db.Close()
	s := open(t, path)
	commit(t, s, storage.Change{Threads: []question.Thread{thread(1)}})
}

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
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

// The file has a size, also while somebody writes; the disk tells what is left, on every system.
func TestStore_SizeAndFree(t *testing.T) {
	ofFile(t)
	s := open(t, dbPath(t))
	if n, err := s.Size(); err != nil || n < 4096 {
		t.Errorf("the size is %d: %v", n, err)
	}
	if free, err := s.Free(); err != nil || free == 0 {
		t.Errorf("%d bytes are left: %v", free, err)
	}
}
