package pending

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/pending/kv"
)

// bbolt has two first pages, and needs one of them. Whatever happens to the other,
// nothing is lost: all that was committed before the last commit is there whichever it
// is, and the last commit too if its page is the good one.
func TestOpen_OneOfTwoMetaPagesIsEnough(t *testing.T) {
	ofFile(t)
	sound, _ := fullFile(t)
	content, err := os.ReadFile(sound)
	if err != nil {
		t.Fatal(err)
	}
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
				if err := os.WriteFile(path, spoilt, 0o600); err != nil {
					t.Fatal(err)
				}
				mustRead(t, path)
				s := open(t, path)
				if s.AtOpen().Recovered != "" || s.AtOpen().Mended == "" {
					t.Fatalf("recovered %q, mended %q", s.AtOpen().Recovered, s.AtOpen().Mended)
				}
				holds(t, s)
				if s = reopen(t, s); s.AtOpen().Recovered+s.AtOpen().Mended != "" {
					t.Errorf("the next start: %q, %q", s.AtOpen().Recovered, s.AtOpen().Mended)
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
