package pending

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"hermes/internal/storage"
)

// Hash is the hash of a journal entry and of all before it.
type Hash [sha256.Size]byte

// Line is one entry as the journal holds it. Raw is its JSON, in one canonical
// form: fields in a fixed order, no spaces, times in UTC. Hash is SHA-256 over
// the hash of the line before and Raw. Numbers begin at 1 and have no gaps; the first
// ones may have been pruned.
type Line struct {
	Number uint64
	Hash   Hash
	Raw    json.RawMessage
	Entry  storage.Entry
}

// Broken says from which entry on the journal is not as hermes wrote it.
type Broken struct {
	Number uint64
	Reason string
	At     time.Time // as the entry has it, which may be forged too; zero: it has none
}

func (b *Broken) Error() string {
	return fmt.Sprintf("the journal is not as it was written, from entry %d on: %s", b.Number, b.Reason)
}

// appendEntries continues the chain from the head that the file names.
func appendEntries(t *tx, entries []storage.Entry) {
	if len(entries) == 0 {
		return
	}
	last, hash := readEnd(t, metaHead)
	// Where the head is older than the last entry, or was lost, no entry is overwritten:
	// the chain continues after the last entry, from the hash that is known, and Verify
	// reports the break.
	last = max(last, uint64(max(0, t.lastNumber(bucketJournal))))
	for _, e := range entries {
		raw, err := encode(e)
		if err != nil {
			t.fail(fmt.Errorf("journal entry: %w", err))
			return
		}
		last, hash = last+1, hash.next(raw)
		t.put(bucketJournal, numberKey(last), append(hash[:], raw...))
	}
	putEnd(t, metaHead, last, hash)
}

// Last is the number of the last line; 0: there is none yet.
func (s *Store) Last() (last uint64, err error) {
	err = s.read(func(t *tx) { last, _ = readEnd(t, metaHead) })
	return last, err
}

func (h Hash) next(raw []byte) Hash {
	return sha256.Sum256(append(h[:], raw...))
}

// readEnd reads where the chain ends, or, for what was pruned, where it begins.
func readEnd(t *tx, which string) (last uint64, hash Hash) {
	end := t.get(bucketMeta, []byte(which))
	if len(end) == 8+len(hash) {
		last = binary.BigEndian.Uint64(end)
		copy(hash[:], end[8:])
	}
	return last, hash
}

func putEnd(t *tx, which string, last uint64, hash Hash) {
	t.put(bucketMeta, []byte(which), append(binary.BigEndian.AppendUint64(nil, last), hash[:]...))
}

// These keep read transactions short, for a long one makes the file grow, and what
// is read at once small.
const (
	journalBatch = 500
	journalBytes = 1 << 20 // of entries, after which a batch ends
)

// Journal calls fn with every line from that number on, in order, until fn fails;
// then it returns fn's error as it is. Lines that are added meanwhile are
// included. fn may use the Store. Whether the chain holds is not looked at.
func (s *Store) Journal(from uint64, fn func(Line) error) error {
	for {
		lines, err := s.readLines(from)
		if err != nil || len(lines) == 0 {
			return err
		}
		for _, line := range lines {
			if err := fn(line); err != nil {
				return err
			}
		}
		from = lines[len(lines)-1].Number + 1
	}
}

// readLines returns what comes before an entry that cannot be read; it fails only
// where that is the first.
func (s *Store) readLines(from uint64) (lines []Line, err error) {
	size := 0
	err = s.view(func(t *tx) error {
		for key, value := range t.Bucket(bucketJournal).From(numberKey(from)) {
			line, err := readLine(key, value)
			if err != nil && len(lines) == 0 {
				return err
			}
			if err != nil || len(lines) == journalBatch || size >= journalBytes {
				return nil
			}
			lines, size = append(lines, line), size+len(value)
		}
		return nil
	})
	return lines, err
}

func readLine(key, value []byte) (Line, error) {
	l := Line{Number: uint64(readNumber(key))}
	if len(key) != 8 {
		return l, &Broken{Reason: "an entry has no number"}
	}
	if len(value) < len(l.Hash) {
		return l, &Broken{Number: l.Number, Reason: "it is cut short"}
	}
	copy(l.Hash[:], value)
	l.Raw = bytes.Clone(value[len(l.Hash):])
	if err := decode(l.Raw, &l.Entry); err != nil {
		return l, &Broken{Number: l.Number, Reason: "it cannot be read: " + err.Error()}
	}
	return l, nil
}

// PruneJournal removes the oldest entries, as far as they are from before this time,
// and returns how many. What is kept stays verifiable: the hash of the last entry
// that was removed is kept. It fails with a [*Broken] at an entry that cannot be
// read, and leaves that and all behind it.
func (s *Store) PruneJournal(before time.Time) (total int, err error) {
	for {
		n := 0
		err := s.update(func(t *tx) (err error) {
			n, err = pruneLines(t, before)
			return err
		})
		total += n
		if err != nil || n < batchMost {
			return total, err
		}
	}
}

func pruneLines(t *tx, before time.Time) (int, error) {
	var old [][]byte
	var last Line
	for key, value := range t.all(bucketJournal) {
		if len(old) == batchMost {
			break
		}
		line, err := readLine(key, value)
		if err != nil {
			return 0, err
		}
		if !line.Entry.At.Before(before) {
			break
		}
		last, old = line, append(old, bytes.Clone(key))
	}
	for _, key := range old {
		t.delete(bucketJournal, key)
	}
	if len(old) > 0 {
		putEnd(t, metaTail, last.Number, last.Hash)
	}
	return len(old), nil
}

// maxLateness is how much older than those before it an entry may be: the clock was set back, or a hermes of before stored late what
// a full disk had not taken.
const maxLateness = 24 * time.Hour

// EntriesSince returns the journal's entries of one kind from a time on, in their order.
// It reads back from the end, up to the first entry that is a day older; it drops one
// that cannot be read, as it does not check whether the chain holds.
func (s *Store) EntriesSince(at time.Time, kind storage.EntryKind) (list []storage.Entry, err error) {
	err = s.read(func(t *tx) {
		for key, value := range t.Bucket(bucketJournal).Backward() {
			line, err := readLine(key, value)
			if err != nil {
				continue
			}
			if line.Entry.At.Before(at.Add(-maxLateness)) {
				return
			}
			if line.Entry.Kind == kind && !line.Entry.At.Before(at) {
				list = append(list, line.Entry)
			}
		}
	})
	slices.Reverse(list)
	return list, err
}

// Chain is what of the journal is as hermes wrote it.
type Chain struct {
	Entries  int
	First    uint64    // number of the oldest entry that is kept; those before it were pruned
	From, To time.Time // of the first and the last entry; zero: there is none
}

// Verify checks the whole chain, from the oldest entry that is kept. It returns nil, or a [*Broken] with the number
// of the first entry that is missing, changed or too many, or a failure to read.
func (s *Store) Verify() error {
	_, err := s.Check()
	return err
}

// Check is [Store.Verify] that also says what it found to hold: all, or what comes
// before the break. It reads the journal in one transaction, as of one moment.
func (s *Store) Check() (c Chain, err error) {
	err = s.view(func(t *tx) error {
		last, hash := readEnd(t, metaTail)
		c.First = last + 1
		for key, value := range t.all(bucketJournal) {
			last++
			if err := c.addLine(last, &hash, key, value); err != nil {
				return err
			}
		}
		return endsAt(t, last, hash, c.To)
	})
	return c, err
}

// addLine checks the next entry against the hash of the one before, and replaces that hash
// by the entry's own.
func (c *Chain) addLine(want uint64, hash *Hash, key, value []byte) error {
	line, err := checkNextLine(want, hash, key, value)
	if err != nil {
		return err
	}
	if c.Entries == 0 {
		c.From = line.Entry.At
	}
	c.Entries++
	c.To = line.Entry.At
	return nil
}

func checkNextLine(want uint64, hash *Hash, key, value []byte) (Line, error) {
	line, err := readLine(key, value)
	if line.Number != want {
		return line, &Broken{Number: want, Reason: "it is missing"}
	}
	if len(value) < len(hash) {
		return line, err
	}
	*hash = hash.next(value[len(hash):])
	if !bytes.Equal(hash[:], value[:len(hash)]) {
		return line, &Broken{Number: want, Reason: "its hash does not fit", At: line.Entry.At}
	}
	return line, err
}

func endsAt(t *tx, last uint64, hash Hash, at time.Time) error {
	switch head, want := readEnd(t, metaHead); {
	case last < head:
		return &Broken{Number: last + 1, Reason: "it is missing"}
	case last > head:
		return &Broken{Number: head + 1, Reason: "it is behind the end"}
	case hash != want:
		return &Broken{Number: last, Reason: "it is not the one that hermes wrote last", At: at}
	}
	return nil
}
