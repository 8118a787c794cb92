package pending

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// backupOf writes a copy of an open database to a file.
func backupOf(t *testing.T, s *Store) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "copy.db")
	var b bytes.Buffer
	must(t, s.Backup(&b, func(size int64) { b.Grow(int(size)) }))
	must(t, os.WriteFile(path, b.Bytes(), 0o600))
	return path
}

// A copy is the database as of one moment, while others write.
func TestBackup_WhileOthersWrite(t *testing.T) {
	s := open(t, dbPath(t))
	stop, done := make(chan bool), make(chan error)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				done <- nil
				return
			default:
				if err := s.Commit(storage.Change{Threads: []question.Thread{thread(n)}, Entries: entries(1)}); err != nil {
					done <- err
					return
				}
			}
		}
	}()
	for range 20 {
		if c, err := CheckCopy(backupOf(t, s)); err != nil || c.Broken != nil || c.Open != c.Chain.Entries {
			t.Errorf("%+v, %v", c, err)
		}
	}
	close(stop)
	must(t, <-done)
}

// What may have been done since the copy was made is not owed any more.
func TestRestore_OwesOnlyWhatCanBeProven(t *testing.T) {
	s := open(t, dbPath(t))
	program, sent := thread(1), thread(2)
	program.Origins = []session.Origin{{Way: session.AskAPI}}
	sent.Decision = &question.Decision{By: question.Actor{Kind: question.Person, User: 7}}
	commit(t, s, storage.Change{
		Threads: []question.Thread{program, sent, thread(3)}, Entries: entries(3),
		Prompts:   []remote.QueuedPrompt{{ID: "prompt", Prompt: session.Prompt{Session: "ses_1"}}},
		Paired:    storage.Pairings{Invitations: []storage.Invitation{{ID: "invitation", Hash: storage.HashCode("a")}}},
		LinkCodes: []storage.LinkCode{{ID: "code", Hash: storage.HashCode("b")}},
	})
	if _, err := s.Put([]chat.Update{{ID: 9, Raw: json.RawMessage("{}")}}); err != nil {
		t.Fatal(err)
	}
	from, path := backupOf(t, s), pathOf(s)
	s.Close()
	r, err := restoreEngine(from, path)
	if err != nil || len(r.Asks) != 1 || r.Prompts != 1 || r.Updates != 1 || r.Ways != 2 || r.Open != 3 || r.Aside == "" {
		t.Fatalf("%+v, %v", r, err)
	}
	s = open(t, path)
	threads, err := s.Threads()
	if err != nil || len(threads) != 3 || threads[0].Outcome.Kind != question.OutcomeUnknown || threads[1].Decision == nil || !threads[2].Open() {
		t.Errorf("%+v, %v", threads, err)
	}
	d, err := s.SessionRecords()
	if err != nil || len(d.Prompts) != 1 || !d.Prompts[0].Restored {
		t.Errorf("%+v, %v", d.Prompts, err)
	}
	left, err := s.Inbox()
	fresh, err2 := s.Fresh([]chat.Update{{ID: 9}})
	if len(left)+len(fresh) != 0 || errors.Join(err, err2) != nil {
		t.Errorf("updates: %v, %v, %v", left, fresh, errors.Join(err, err2))
	}
	if keys(t, s, bucketPairings)+keys(t, s, bucketLinkCodes) != 0 {
		t.Error("invitations and codes are there again")
	}
	if c, err := s.Check(); err != nil || c.Entries != 5 {
		t.Errorf("%+v, %v", c, err)
	}
}

// Nothing is changed where there is nothing to be restored, or a hermes runs.
func TestRestore_Refuses(t *testing.T) {
	ofFile(t)
	s := open(t, dbPath(t))
	commit(t, s, storage.Change{Entries: entries(3)})
	from, path := backupOf(t, s), s.path
	if _, err := Restore(from, path); !errors.Is(err, ErrLocked) {
		t.Errorf("while it is open: %v", err)
	}
	s.Close()
	whole, err := os.ReadFile(from)
	must(t, err)
	newer := filepath.Join(t.TempDir(), "newer.db")
	must(t, os.WriteFile(newer, whole, 0o600))
	setSchema(t, newer, "99")
	cut := filepath.Join(t.TempDir(), "cut.db")
	must(t, os.WriteFile(cut, whole[:len(whole)-os.Getpagesize()], 0o600))
	was := stateOf(t, path)
	for name, want := range map[string]error{newer: ErrNewer, cut: ErrDamaged, filepath.Join(t.TempDir(), "none"): os.ErrNotExist} {
		if _, err := Restore(name, path); !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if stateOf(t, path) != was {
		t.Error("the database was changed")
	}
}

// A copy that was made longer takes no longer to restore, and no more of the disk: only the pages that it names are copied.
func TestRestore_OfAFileThatWasMadeLonger(t *testing.T) {
	ofFile(t)
	s := open(t, dbPath(t))
	commit(t, s, storage.Change{Entries: entries(3)})
	from, path := backupOf(t, s), s.path
	s.Close()
	whole, err := os.Stat(from)
	must(t, err)
	must(t, os.Truncate(from, 1<<30))
	if r, err := Restore(from, path); err != nil || r.Bytes != whole.Size() {
		t.Fatalf("%+v, %v; the copy had %d bytes", r, err, whole.Size())
	}
	restored, err := os.Stat(path)
	if err != nil || restored.Size() > 64<<20 {
		t.Errorf("the database is %v bytes long now (%v)", restored.Size(), err)
	}
}

// A hermes that was just starting has put another file in the place of the one that was opened to be locked.
func TestRestore_LocksTheFileThatIsThere(t *testing.T) {
	ofFile(t)
	s := open(t, dbPath(t))
	s.Close()
	file, err := os.Open(s.path)
	must(t, err)
	defer file.Close()
	must(t, copyFile(s.path, s.path+".compact", math.MaxInt64))
	must(t, os.Rename(s.path+".compact", s.path))
	if err := lockAt(file, s.path); !errors.Is(err, ErrLocked) {
		t.Errorf("the lock of a file without a name counts: %v", err)
	}
}

// A kill leaves the old database or the new one, and the next try cleans up what it left.
func TestRestore_AfterAKill(t *testing.T) {
	ofFile(t)
	s := open(t, dbPath(t))
	commit(t, s, storage.Change{Entries: entries(3)})
	from, path := backupOf(t, s), s.path
	commit(t, s, storage.Change{Entries: entries(4)})
	s.Close()
	// Killed before the rename: half a new file, and the old one has both names.
	must(t, errors.Join(os.WriteFile(path+".restoring", []byte("half"), 0o600), os.Link(path, path+".before-restore-x")))
	s = open(t, path)
	if c, err := s.Check(); err != nil || c.Entries != 7 {
		t.Errorf("the old one: %+v, %v", c, err)
	}
	s.Close()
	if _, err := Restore(from, path); err != nil {
		t.Fatal(err)
	}
	if c, err := CheckCopy(path); err != nil || c.Chain.Entries != 4 {
		t.Errorf("the new one: %+v, %v", c, err)
	}
	list, err := os.ReadDir(filepath.Dir(path))
	for _, e := range list {
		if strings.HasSuffix(e.Name(), ".restoring") {
			t.Errorf("%s is left", e.Name())
		}
	}
	if len(list) != 3 || err != nil {
		t.Errorf("%v, %v", list, err)
	}
	// The database was lost altogether.
	must(t, os.Remove(path))
	if r, err := Restore(from, path); err != nil || r.Aside != "" {
		t.Errorf("%+v, %v", r, err)
	}
}

// setSchema makes a file that of another version.
func setSchema(t *testing.T, path, version string) {
	t.Helper()
	s := open(t, path)
	raw(t, s, func(tx *tx) error {
		return tx.Bucket(bucketMeta).Put([]byte(metaSchema), []byte(version))
	})
	s.Close()
}
