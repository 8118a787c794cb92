package pending

import (
	"slices"
	"time"

	"hermes/internal/storage"
	"hermes/pending/kv"
)

// maxLateness is how much older than those before it an entry may be: what a full disk did not
// take is stored later, with the time at which it happened.
const maxLateness = 24 * time.Hour

// recentLines is how many lines from the end Recorded looks at.
const recentLines = 1000

// Recorded reports whether the entry is among the last lines of the journal, wherever its
// time puts it. It is for who wants to know whether a commit that failed was carried out.
func (s *Store) Recorded(e storage.Entry) (found bool, err error) {
	err = s.view(func(tx kv.Tx) error {
		c, n := tx.Bucket(bucketJournal).Cursor(), 0
		for key, value := c.Last(); key != nil && n < recentLines && !found; key, value = c.Prev() {
			line, err := readLine(key, value)
			found, n = err == nil && line.Entry.Same(e), n+1
		}
		return nil
	})
	return found, err
}

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
