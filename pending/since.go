package pending

import (
	"slices"
	"time"

	"hermes/internal/storage"
	"hermes/pending/kv"
)

// maxLateness is how much older than those before it an entry may be: the clock was set back, or a hermes of before stored late what
// a full disk had not taken.
const maxLateness = 24 * time.Hour

// EntriesSince returns the journal's entries of one kind from a time on, in their order.
// It reads back from the end, up to the first entry that is a day older; it drops one
// that cannot be read, as it does not check whether the chain holds.
func (s *Store) EntriesSince(at time.Time, kind storage.EntryKind) (list []storage.Entry, err error) {
	err = s.view(func(tx kv.Tx) error {
		c := tx.Bucket(bucketJournal).Cursor()
		for key, value := c.Last(); key != nil; key, value = c.Prev() {
			line, err := readLine(key, value)
			if err != nil {
				continue
			}
			if line.Entry.At.Before(at.Add(-maxLateness)) {
				break
			}
			if line.Entry.Kind == kind && !line.Entry.At.Before(at) {
				list = append(list, line.Entry)
			}
		}
		return nil
	})
	slices.Reverse(list)
	return list, err
}
