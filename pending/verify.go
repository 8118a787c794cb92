package pending

import (
	"bytes"
	"time"

	"hermes/pending/kv"
)

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
	err = s.view(func(tx kv.Tx) error {
		last, hash := readEnd(tx, metaTail)
		c.First = last + 1
		err := tx.Bucket(bucketJournal).ForEach(func(key, value []byte) error {
			last++
			return c.addLine(last, &hash, key, value)
		})
		if err != nil {
			return err
		}
		return endsAt(tx, last, hash, c.To)
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

func endsAt(tx kv.Tx, last uint64, hash Hash, at time.Time) error {
	switch head, want := readEnd(tx, metaHead); {
	case last < head:
		return &Broken{Number: last + 1, Reason: "it is missing"}
	case last > head:
		return &Broken{Number: head + 1, Reason: "it is behind the end"}
	case hash != want:
		return &Broken{Number: last, Reason: "it is not the one that hermes wrote last", At: at}
	}
	return nil
}
