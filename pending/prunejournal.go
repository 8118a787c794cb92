package pending

import (
	"bytes"
	"time"

	"hermes/pending/kv"
)

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
