package pending

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/pending/kv"
)

func damageFile(t *testing.T, path string, at int64, b []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	must(t, err)
	defer f.Close()
	if _, err := f.WriteAt(b, at); err != nil {
		t.Fatal(err)
	}
}

// fullFile is a closed file of some 50 pages. Its content ends at byte end.
func fullFile(t *testing.T) (path string, end int64) {
	t.Helper()
	s := open(t, dbPath(t))
	for n := range 100 {
		commit(t, s, storage.Change{Threads: []question.Thread{thread(n)}, Entries: entries(5)})
	}
	rawFile(t, s, func(tx *bolt.Tx) error { end = tx.Size(); return nil })
	s.Close()
	return s.path, end
}

func TestOpen_MovesADamagedFileAside(t *testing.T) {
	ofFile(t)
	sound, end := fullFile(t)
	content, err := os.ReadFile(sound)
	must(t, err)
	page := int64(os.Getpagesize())
	garbage := bytes.Repeat([]byte{0xa5}, int(page))
	for name, damage := range map[string]func(path string) error{
		"zeros":                    func(path string) error { return os.WriteFile(path, make([]byte, 99999), 0o600) },
		"short":                    func(path string) error { return os.Truncate(path, 100) },
		"one page":                 func(path string) error { return os.Truncate(path, page+page/2) },
		"three pages":              func(path string) error { return os.Truncate(path, 3*page) },
		"cut in half":              func(path string) error { return os.Truncate(path, int64(len(content)/4)) },
		"cut within the last page": func(path string) error { return os.Truncate(path, end-100) },
		"both meta pages": func(path string) error {
			damageFile(t, path, pageHeader+4, garbage[:page-pageHeader-4])
			damageFile(t, path, page, garbage)
			return nil
		},
		"all but the meta pages": func(path string) error {
			damageFile(t, path, 2*page, bytes.Repeat([]byte{0xff}, len(content)-int(2*page)))
			return nil
		},
		"a meta page, and keys": func(path string) error {
			damageFile(t, path, 0, make([]byte, page))
			spoilt, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			id := []byte(thread(50).ID)
			return os.WriteFile(path, bytes.ReplaceAll(spoilt, id, append([]byte("~"), id[1:]...)), 0o600)
		},
		"zeros behind the meta pages": func(path string) error {
			damageFile(t, path, 2*page, make([]byte, len(content)-int(2*page)))
			return nil
		},
	} {
		path := filepath.Join(t.TempDir(), "hermes.db")
		must(t, os.WriteFile(path, content, 0o600))
		must(t, errors.Join(damage(path), os.Chmod(path, 0o664)))
		before, _ := os.ReadFile(path)
		s := open(t, path)
		moved, _ := filepath.Glob(path + ".corrupt-20*Z")
		if len(moved) != 1 || !strings.Contains(s.AtOpen().Recovered, moved[0]) || !strings.Contains(s.AtOpen().Recovered, path) {
			t.Errorf("%s: moved to %v, and it says %q", name, moved, s.AtOpen().Recovered)
			continue
		}
		if after, _ := os.ReadFile(moved[0]); !bytes.Equal(before, after) || mode(t, moved[0]) != 0o600 {
			t.Errorf("%s: what was moved aside is not what was there, or others may read it", name)
		}
		if n := openCount(t, moved[0]); n != 0 {
			t.Errorf("%s: what was moved aside is still open %d times", name, n)
		}
		commit(t, s, storage.Change{Threads: []question.Thread{thread(1)}})
		if s = reopen(t, s); s.AtOpen().Recovered != "" {
			t.Errorf("%s: the new file is damaged too: %s", name, s.AtOpen().Recovered)
		}
	}
}

// Two processes that find the same damage: the file that the quicker one began
// must not be taken for the damaged one.
func TestOpen_MovesOnlyTheDamagedFile(t *testing.T) {
	ofFile(t)
	path := dbPath(t)
	s := open(t, path)
	s.Close()
	damaged, err := os.Stat(path)
	must(t, err)
	must(t, os.Rename(path, path+".corrupt-1"))
	quicker := open(t, path)
	commit(t, quicker, storage.Change{Threads: []question.Thread{thread(1)}})
	slower := &opener{Store: newStore(path, nil, Options{})}
	if err := slower.moveAside(&damage{"", damaged}); err == nil || slower.opened.Recovered != "" {
		t.Errorf("the new file was moved aside: %v, %s", err, slower.opened.Recovered)
	}
	if threads, err := reopen(t, quicker).Threads(); err != nil || len(threads) != 1 {
		t.Errorf("got %v, %v", threads, err)
	}
}

// bbolt has two first pages, and needs one of them. Whatever happens to the other,
// nothing is lost: all that was committed before the last commit is there whichever it
// is, and the last commit too if its page is the good one.
func TestOpen_OneOfTwoMetaPagesIsEnough(t *testing.T) {
	ofFile(t)
	sound, _ := fullFile(t)
	content, err := os.ReadFile(sound)
	must(t, err)
	size := os.Getpagesize()
	for name, spoil := range map[string]func(page []byte){
		"zeroed":             func(page []byte) { clear(page) },
		"torn":               func(page []byte) { copy(page[pageHeader+20:], bytes.Repeat([]byte{0xa5}, size)) },
		"its second half":    func(page []byte) { clear(page[40:]) },
		"its header zeroed":  func(page []byte) { clear(page[:pageHeader]) },
		"its number changed": func(page []byte) { page[0] ^= 1 },
		"checksum flipped":   func(page []byte) { page[pageHeader+56] ^= 1 },
		"magic flipped":      func(page []byte) { page[pageHeader] ^= 1 },
		"version flipped":    func(page []byte) { page[pageHeader+4] ^= 1 },
		"page size wrong":    func(page []byte) { binary.LittleEndian.PutUint32(page[pageHeader+8:], uint32(2*size)) },
		"transaction number": func(page []byte) { page[pageHeader+48+7] ^= 0x40 },
		"garbage":            func(page []byte) { copy(page, bytes.Repeat([]byte("garbage"), size)) },
	} {
		for at := range 2 {
			t.Run(fmt.Sprintf("%s, page %d", name, at), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "hermes.db")
				spoilt := bytes.Clone(content)
				spoil(spoilt[at*size : (at+1)*size])
				must(t, os.WriteFile(path, spoilt, 0o600))
				mustRead(t, path)
				s := open(t, path)
				if s.AtOpen().Recovered != "" {
					t.Fatalf("recovered %q", s.AtOpen().Recovered)
				}
				holds(t, s)
				if s = reopen(t, s); s.AtOpen().Recovered != "" {
					t.Errorf("the next start: %q", s.AtOpen().Recovered)
				}
				commit(t, s, storage.Change{Threads: []question.Thread{thread(200)}, Entries: entries(1)})
				s = reopen(t, s)
				holds(t, s)
			})
		}
	}
}

// mustRead reads the file without a change to it.
func mustRead(t *testing.T, path string) {
	t.Helper()
	was := stateOf(t, path)
	s, err := Read(path)
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	if c, err := s.Check(); err != nil || c.Entries < 5*99 {
		t.Errorf("the journal: %+v, %v", c, err)
	}
	if s.Close(); stateOf(t, path) != was {
		t.Error("reading has changed it")
	}
}

// holds checks that all but the last of fullFile's commits are there, and whole.
func holds(t *testing.T, s *Store) {
	t.Helper()
	threads, err := s.Threads()
	if err != nil || len(threads) < 99 || s.Verify() != nil {
		t.Errorf("%d threads, %v, %v", len(threads), err, s.Verify())
	}
	if err := s.db.View(func(tx kv.Tx) error { return firstFault(tx.(boltTx).Tx) }); err != nil {
		t.Errorf("bbolt finds: %v", err)
	}
}
