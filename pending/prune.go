package pending

import (
	"bytes"
	"encoding/json"
	"time"

	"hermes/internal/retry"
	"hermes/pending/kv"
)

// keepMarks is how long it is known of an update that it was consumed: twice as long as
// Telegram keeps one to send it again (Bot API: 24 hours). Everybody in the world can
// send updates, so it is no longer than that. Nor may it be as long as a week: after one
// without updates Telegram continues with any id, also with one that was consumed before
// (Bot API, Update).
const keepMarks = 48 * time.Hour

// Prune removes the threads that ended before this time and have nothing owed,
// and the marks of updates that left the inbox before it or two days ago, and returns how
// many of both. Topics that were closed before it are forgotten as well: a session that
// asks after all gets a new one. The journal is left alone: see [Store.PruneJournal]. It
// must not reach into the 24 hours for which Telegram may send an update again.
func (s *Store) Prune(before time.Time) (int, error) {
	settled, err := s.oldThreads(before)
	if err != nil {
		return 0, err
	}
	marks := before
	if late := time.Now().Add(-keepMarks); late.After(marks) {
		marks = late
	}
	seen, err := s.oldMarks(marks)
	if err != nil {
		return 0, err
	}
	threads, err := inBatches(s.database, settled, pruneThread)
	if err != nil {
		return threads, err
	}
	if err := s.pruneTopics(before); err != nil {
		return threads, err
	}
	unmarked, err := inBatches(s.database, seen, removeMark(marks))
	return threads + unmarked, err
}

func (d *database) oldThreads(before time.Time) (keys [][]byte, err error) {
	err = d.view(func(tx kv.Tx) error {
		c, end := tx.Bucket(bucketEnded).Cursor(), endedKey(before, "")
		for key, _ := c.First(); key != nil && bytes.Compare(key, end) < 0; key, _ = c.Next() {
			keys = append(keys, bytes.Clone(key))
		}
		return nil
	})
	return keys, err
}

// oldMarks looks at all marks: update ids do not always ascend (Bot API, Update).
func (d *database) oldMarks(before time.Time) (keys [][]byte, err error) {
	err = d.view(func(tx kv.Tx) error {
		return tx.Bucket(bucketSeen).ForEach(func(key, value []byte) error {
			at, err := markedAt(value)
			if err == nil && at.Before(before) {
				keys = append(keys, bytes.Clone(key))
			}
			return nil
		})
	})
	return keys, err
}

// removeMark returns what removes a mark, if that is still older than this time.
func removeMark(before time.Time) func(kv.Tx, []byte) error {
	return func(tx kv.Tx, key []byte) error {
		b := tx.Bucket(bucketSeen)
		if at, err := markedAt(b.Get(key)); err != nil || !at.Before(before) {
			return err // set anew since it was looked at
		}
		return b.Delete(key)
	}
}

// pruneThread removes the settled thread of a key of the index ended, unless the
// key is gone: then the thread was stored anew since the key was read.
func pruneThread(tx kv.Tx, key []byte) error {
	if tx.Bucket(bucketEnded).Get(key) == nil {
		return nil
	}
	if err := removeThread(tx, endedID(key)); err != nil {
		return err
	}
	return tx.Bucket(bucketEnded).Delete(key) // also where the thread cannot be read
}

// pruneTopics removes the topics that were closed before this time.
func (d *database) pruneTopics(before time.Time) error {
	var old [][]byte
	err := d.view(func(tx kv.Tx) error {
		return tx.Bucket(bucketTopics).ForEach(func(key, value []byte) error {
			t, err := topics.read(key, value)
			if err == nil && !t.Closed.IsZero() && t.Closed.Before(before) {
				old = append(old, bytes.Clone(key))
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	_, err = inBatches(d, old, func(tx kv.Tx, key []byte) error { return tx.Bucket(bucketTopics).Delete(key) })
	return err
}

// PruneSaid forgets which session messages belong to that were written before this
// time, the last reported turns that were stored before it, and the turns that began before
// it and whose end was never heard of, and returns how many of all.
func (s *Store) PruneSaid(before time.Time) (n int, err error) {
	for _, bucket := range []string{bucketSaid, bucketTold, bucketWatches} {
		gone, err := s.pruneDated(bucket, before)
		if n += gone; err != nil {
			return n, err
		}
	}
	return n, nil
}

// pruneDated removes the records of a bucket whose "at" or "since" is before this time.
func (d *database) pruneDated(bucket string, before time.Time) (int, error) {
	var old [][]byte
	err := d.view(func(tx kv.Tx) error {
		return tx.Bucket(bucket).ForEach(func(key, value []byte) error {
			var r struct {
				At    time.Time `json:"at"`
				Since time.Time `json:"since"` // of a watch; zero in both: not known
			}
			err := json.Unmarshal(value, &r)
			if at := retry.Later(r.At, r.Since); err == nil && at.Before(before) && !at.IsZero() {
				old = append(old, bytes.Clone(key))
			}
			return nil
		})
	})
	if err != nil {
		return 0, err
	}
	return inBatches(d, old, func(tx kv.Tx, key []byte) error { return tx.Bucket(bucket).Delete(key) })
}
