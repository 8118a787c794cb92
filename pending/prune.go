package pending

import (
	"bytes"
	"encoding/json"
	"time"

	"hermes/internal/retry"
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
	threads, err := s.pruneThreads(before)
	if err != nil {
		return threads, err
	}
	marks := before
	if late := time.Now().Add(-keepMarks); late.After(marks) {
		marks = late
	}
	if _, err := s.prune(bucketTopics, func(key, value []byte) bool {
		t, err := topics.read(key, value)
		return err == nil && !t.Closed.IsZero() && t.Closed.Before(before)
	}); err != nil {
		return threads, err
	}
	unmarked, err := s.prune(bucketSeen, func(_, value []byte) bool { // all of them: update ids do not always ascend (Bot API, Update)
		at, err := markedAt(value)
		return err == nil && at.Before(marks)
	})
	return threads + unmarked, err
}

// PruneSaid forgets which session messages belong to that were written before this
// time, the last reported turns that were stored before it, and the turns that began before
// it and whose end was never heard of, and returns how many of all.
func (s *Store) PruneSaid(before time.Time) (n int, err error) {
	for _, bucket := range []string{bucketSaid, bucketTold, bucketWatches} {
		gone, err := s.prune(bucket, func(_, value []byte) bool {
			var r struct {
				At    time.Time `json:"at"`
				Since time.Time `json:"since"` // of a watch; zero in both: not known
			}
			err := json.Unmarshal(value, &r)
			at := retry.Later(r.At, r.Since)
			return err == nil && at.Before(before) && !at.IsZero()
		})
		if n += gone; err != nil {
			return n, err
		}
	}
	return n, nil
}

// prune removes the records of a bucket that are old, and returns how many.
func (s *Store) prune(bucket string, old func(key, value []byte) bool) (int, error) {
	var keys [][]byte
	err := s.read(func(t *tx) {
		for key, value := range t.all(bucket) {
			if old(key, value) {
				keys = append(keys, bytes.Clone(key))
			}
		}
	})
	if err != nil {
		return 0, err
	}
	return s.inBatches(keys, func(t *tx, key []byte) {
		if value := t.get(bucket, key); value != nil && old(key, value) { // else it was stored anew since it was looked at
			t.delete(bucket, key)
		}
	})
}

func (s *Store) pruneThreads(before time.Time) (int, error) {
	var keys [][]byte
	err := s.read(func(t *tx) {
		for key := range t.all(bucketEnded) {
			if bytes.Compare(key, endedKey(before, "")) >= 0 {
				return
			}
			keys = append(keys, bytes.Clone(key))
		}
	})
	if err != nil {
		return 0, err
	}
	return s.inBatches(keys, pruneThread)
}

// pruneThread removes the settled thread of a key of the index ended, unless the
// key is gone: then the thread was stored anew since the key was read.
func pruneThread(t *tx, key []byte) {
	if t.get(bucketEnded, key) == nil {
		return
	}
	removeThread(t, endedID(key))
	t.delete(bucketEnded, key) // also where the thread cannot be read
}
