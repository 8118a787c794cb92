package pending

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"

	"hermes/internal/storage"
	"hermes/pending/kv"
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
func appendEntries(tx kv.Tx, entries []storage.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	last, hash := readEnd(tx, metaHead)
	// Where the head is older than the last entry, or was lost, no entry is overwritten:
	// the chain continues after the last entry, from the hash that is known, and Verify
	// reports the break.
	if key, _ := tx.Bucket(bucketJournal).Cursor().Last(); key != nil {
		last = max(last, uint64(max(0, readNumber(key))))
	}
	for _, e := range entries {
		raw, err := encode(e)
		if err != nil {
			return fmt.Errorf("journal entry: %w", err)
		}
		last, hash = last+1, hash.next(raw)
		if err := tx.Bucket(bucketJournal).Put(numberKey(last), append(hash[:], raw...)); err != nil {
			return fmt.Errorf("journal entry: %w", err)
		}
	}
	return putEnd(tx, metaHead, last, hash)
}

// Last is the number of the last line; 0: there is none yet.
func (s *Store) Last() (last uint64, err error) {
	err = s.view(func(tx kv.Tx) error {
		last, _ = readEnd(tx, metaHead)
		return nil
	})
	return last, err
}

func (h Hash) next(raw []byte) Hash {
	return sha256.Sum256(append(h[:], raw...))
}

// readEnd reads where the chain ends, or, for what was pruned, where it begins.
func readEnd(tx kv.Tx, which string) (last uint64, hash Hash) {
	end := tx.Bucket(bucketMeta).Get([]byte(which))
	if len(end) == 8+len(hash) {
		last = binary.BigEndian.Uint64(end)
		copy(hash[:], end[8:])
	}
	return last, hash
}

func putEnd(tx kv.Tx, which string, last uint64, hash Hash) error {
	end := append(binary.BigEndian.AppendUint64(nil, last), hash[:]...)
	return tx.Bucket(bucketMeta).Put([]byte(which), end)
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
		if err := each(lines, fn); err != nil {
			return err
		}
		from = lines[len(lines)-1].Number + 1
	}
}

func (d *database) readLines(from uint64) ([]Line, error) {
	var lines []Line
	err := d.view(func(tx kv.Tx) (err error) {
		lines, err = readBatch(tx.Bucket(bucketJournal).Cursor(), from)
		return err
	})
	return lines, err
}

// readBatch returns what comes before an entry that cannot be read; it fails only
// where that is the first.
func readBatch(c kv.Cursor, from uint64) (lines []Line, err error) {
	size := 0
	for key, value := c.Seek(numberKey(from)); key != nil && len(lines) < journalBatch && size < journalBytes; key, value = c.Next() {
		line, err := readLine(key, value)
		if err != nil && len(lines) == 0 {
			return nil, err
		}
		if err != nil {
			return lines, nil
		}
		lines, size = append(lines, line), size+len(value)
	}
	return lines, nil
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
		err := s.update(func(tx kv.Tx) (err error) {
			n, err = pruneLines(tx, before)
			return err
		})
		total += n
		if err != nil || n < batchMost {
			return total, err
		}
	}
}

func pruneLines(tx kv.Tx, before time.Time) (int, error) {
	journal := tx.Bucket(bucketJournal)
	var old [][]byte
	var last Line
	c := journal.Cursor()
	for key, value := c.First(); key != nil && len(old) < batchMost; key, value = c.Next() {
		line, err := readLine(key, value)
		if err != nil {
			return 0, err
		}
		if !line.Entry.At.Before(before) {
			break
		}
		last, old = line, append(old, bytes.Clone(key))
	}
	if len(old) == 0 {
		return 0, nil
	}
	if err := each(old, journal.Delete); err != nil {
		return 0, err
	}
	return len(old), putEnd(tx, metaTail, last.Number, last.Hash)
}
