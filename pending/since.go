package pending

import (
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"hermes/question"
)

// EntriesSince returns the journal's entries of one kind from a time on, in their order.
// It reads back from the end, up to the first entry that is older; one that cannot be read
// is passed over, for whether the chain holds is not looked at.
func (s *Store) EntriesSince(at time.Time, kind question.EntryKind) (list []question.Entry, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		c := tx.Bucket([]byte(bucketJournal)).Cursor()
		for key, value := c.Last(); key != nil; key, value = c.Prev() {
			line, err := readLine(key, value)
			if err != nil {
				continue
			}
			if line.Entry.At.Before(at) {
				break
			}
			if line.Entry.Kind == kind {
				list = append(list, line.Entry)
			}
		}
		return nil
	})
	slices.Reverse(list)
	return list, err
}
