package pending

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/pending/kv"
	"hermes/pending/kv/kvtest"
)

func openShared(t testing.TB, m *kvtest.Memory) *Store {
	t.Helper()
	s, err := OpenShared(m.Open(), Options{})
	if err != nil {
		t.Fatalf("OpenShared: %v", err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func putMeta(t *testing.T, m *kvtest.Memory, key, value string) {
	t.Helper()
	must(t, m.Open().Update(func(tx kv.Tx) error { return tx.Bucket(bucketMeta).Put([]byte(key), []byte(value)) }))
}

func TestOpenShared_BeginsAnEmptyDatabase(t *testing.T) {
	m := new(kvtest.Memory)
	if _, err := ReadShared(m.Open()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty one is read: %v", err)
	}
	s := openShared(t, m)
	if got, err := s.Schema(); err != nil || got != schemaVersion || s.AtOpen().Recovered != "" {
		t.Errorf("schema %d, %v, %+v", got, err, s.AtOpen())
	}
	commit(t, s, storage.Change{Threads: []question.Thread{thread(1)}})
	r, err := ReadShared(m.Open())
	must(t, err)
	if threads, err := r.Threads(); err != nil || len(threads) != 1 {
		t.Errorf("%v, %v", threads, err)
	}
}

// Nothing is changed in what is not this hermes', and the errors lead to the setting.
func TestOpenShared_Refuses(t *testing.T) {
	for name, c := range map[string]struct {
		key, value string
		want       error
	}{
		"newer":      {metaSchema, "99", ErrNewer},
		"no number":  {metaSchema, "x", ErrForeign},
		"no schema":  {"users", "x", ErrForeign},
		"unfinished": {metaRestoring, "x", ErrUnfinished},
	} {
		t.Run(name, func(t *testing.T) {
			m := new(kvtest.Memory)
			putMeta(t, m, c.key, c.value)
			_, err := OpenShared(m.Open(), Options{})
			_, err2 := ReadShared(m.Open())
			for _, err := range []error{err, err2} {
				if !errors.Is(err, c.want) || !strings.Contains(err.Error(), "HERMES_STORE") || strings.Contains(err.Error(), "HERMES_DB") {
					t.Errorf("got %v", err)
				}
			}
			_ = m.Open().View(func(k kv.Tx) error {
				if keys := (&tx{Tx: k}).keys(bucketMeta); len(keys) != 1 {
					t.Errorf("it was changed: %q", keys)
				}
				return nil
			})
		})
	}
}

// What a write of it fails with names the setting, and no disk of this machine. It can be written by a hook, as a file's can.
func TestOpenShared_WriteFails(t *testing.T) {
	full := error(nil)
	s, err := OpenShared(new(kvtest.Memory).Open(), Options{Write: func(write func() error) error { return errors.Join(full, write()) }})
	must(t, err)
	if err := s.Proven(); err != nil {
		t.Error("a store that takes changes says that it does not:", err)
	}
	full = errors.New("no room")
	if err := s.Proven(); !errors.Is(err, full) {
		t.Errorf("a store that takes none is proven: %v", err)
	}
	err = s.Beat(sampleTime(1))
	if !errors.Is(err, full) || !strings.Contains(err.Error(), "HERMES_STORE") || strings.Contains(err.Error(), "disk") || strings.Contains(err.Error(), "HERMES_DB") {
		t.Errorf("got %v", err)
	}
	if _, err := s.Size(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("its size: %v", err)
	}
	if _, err := s.Free(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("what is left of its disk: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := s.Threads(); err == nil || !strings.Contains(err.Error(), "HERMES_STORE") {
		t.Errorf("a closed store is read: %v", err)
	}
}

// All that a file holds is in the shared database behind a restore, and back in a file behind a backup.
func TestRestoreShared_ThereAndBack(t *testing.T) {
	file, err := Open(restore(t), Options{NoSync: true})
	must(t, err)
	defer file.Close()
	commit(t, file, storage.Change{Entries: entries(3 * copyRecords)}) // of several changes
	m := new(kvtest.Memory)
	if r, err := RestoreShared(backupOf(t, file), m.Open(), ""); err != nil || r.Aside != "" {
		t.Fatalf("%+v, %v", r, err)
	}
	s := openShared(t, m)
	there := string(dump(t, s))
	if err := s.Verify(); err != nil || len(there) < 1000 {
		t.Errorf("%d bytes, %v", len(there), err)
	}
	back, err := Open(backupOf(t, s), Options{NoSync: true})
	must(t, err)
	defer back.Close()
	if got := string(dump(t, back)); got != there {
		t.Errorf("what came back is another:\n%s\nwant:\n%s", got, there)
	}
}

// Whatever change of a restore fails, hermes has what was there before or refuses what is there, and the next restore comes to its end.
func TestRestoreShared_CutOffAnywhere(t *testing.T) {
	file, err := Open(dbPath(t), Options{NoSync: true})
	must(t, err)
	defer file.Close()
	commit(t, file, storage.Change{Threads: []question.Thread{thread(1)}, Entries: entries(2 * copyRecords)})
	from, dir := backupOf(t, file), t.TempDir()
	unfinished := 0
	for n := 0; ; n++ {
		m := new(kvtest.Memory)
		was := openShared(t, m)
		commit(t, was, storage.Change{Threads: []question.Thread{thread(2)}, Chats: []chat.Chat{{ID: 1}}, Entries: entries(1)})
		wasText := string(dump(t, was))
		aside := filepath.Join(dir, fmt.Sprint(n))
		_, err := RestoreShared(from, &cutOff{m.Open(), n}, aside)
		if err == nil {
			break
		}
		now, openErr := OpenShared(m.Open(), Options{})
		switch {
		case errors.Is(openErr, ErrUnfinished):
			unfinished++
		case openErr != nil || string(dump(t, now)) != wasText:
			t.Fatalf("after %d changes: %v", n, openErr)
		}
		if c, err := CheckCopy(aside); err != nil || c.Open != 1 || c.Chain.Entries != 1 {
			t.Errorf("what was there before: %+v, %v", c, err)
		}
		if _, err := RestoreShared(from, m.Open(), aside+".again"); err != nil {
			t.Fatalf("once more after %d changes: %v", n, err)
		}
		threads, err := openShared(t, m).Threads()
		if err != nil || len(threads) != 1 || threads[0].ID != thread(1).ID {
			t.Errorf("after %d changes and a restore: %v, %v", n, threads, err)
		}
	}
	if unfinished < 5 {
		t.Errorf("%d restores were cut off between changes", unfinished)
	}
}

// cutOff lets so many changes through.
type cutOff struct {
	kv.DB
	left int
}

func (c *cutOff) Update(fn func(kv.Tx) error) error {
	if c.left--; c.left < 0 {
		return errors.New("the line was cut")
	}
	return c.DB.Update(fn)
}

// What was there before is kept in a file that nothing had, or nothing is changed.
func TestRestoreShared_KeepsWhatWasThere(t *testing.T) {
	file, err := Open(dbPath(t), Options{NoSync: true})
	must(t, err)
	defer file.Close()
	from, aside := backupOf(t, file), filepath.Join(t.TempDir(), "aside.db")
	m := new(kvtest.Memory)
	s := openShared(t, m)
	commit(t, s, storage.Change{Threads: []question.Thread{thread(2)}})
	was, err := s.Threads()
	must(t, err)
	must(t, os.WriteFile(aside, []byte("a person's"), 0o600))
	if _, err := RestoreShared(from, m.Open(), aside); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a file that is there: %v", err)
	}
	if is, err := s.Threads(); err != nil || !reflect.DeepEqual(is, was) {
		t.Errorf("it was changed: %v, %v", is, err)
	}
	must(t, os.Remove(aside))
	if r, err := RestoreShared(from, m.Open(), aside); err != nil || r.Aside != aside {
		t.Errorf("%+v, %v", r, err)
	}
	if info, err := os.Stat(aside); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if is, err := openShared(t, m).Threads(); err != nil || len(is) != 0 {
		t.Errorf("%v, %v", is, err)
	}
	putMeta(t, m, metaSchema, "99")
	if _, err := RestoreShared(from, m.Open(), aside+"2"); !errors.Is(err, ErrNewer) {
		t.Errorf("over a newer hermes' records: %v", err)
	}
}

// A database is the one of its first bot, until a restore replaces it.
func TestBot_IsTheFirstOne(t *testing.T) {
	m := new(kvtest.Memory)
	s := openShared(t, m)
	for _, step := range []struct {
		do    func(string) error
		bot   string
		wrong bool
	}{
		{s.CheckBot, "1", false},
		{s.KeepBot, "1", false},
		{s.KeepBot, "1", false},
		{s.CheckBot, "1", false},
		{s.CheckBot, "2", true},
		{s.KeepBot, "2", true},
		{s.CheckBot, "1", false},
	} {
		err := step.do(step.bot)
		if errors.Is(err, ErrOtherBot) != step.wrong || (err != nil) != step.wrong {
			t.Errorf("the bot %s: %v", step.bot, err)
		}
		if step.wrong && (!strings.Contains(err.Error(), "the bot 1,") || !strings.Contains(err.Error(), "the bot 2;")) {
			t.Errorf("both are not named: %v", err)
		}
	}
	must(t, s.Commit(storage.Change{Entries: []storage.Entry{{Kind: storage.EntryReloaded}}}))
	path := backupOf(t, s)
	next := new(kvtest.Memory)
	if _, err := RestoreShared(path, next.Open(), path+".aside"); err != nil {
		t.Fatal(err)
	}
	if err := openShared(t, next).KeepBot("2"); err != nil {
		t.Errorf("what was restored: %v", err)
	}
}
