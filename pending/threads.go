package pending

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"hermes/internal/question"
	"hermes/pending/kv"
)

// Threads returns the threads for which something is still owed, the oldest
// first. What is settled and told everywhere is not read.
func (s *Store) Threads() ([]question.Thread, error) {
	var threads []question.Thread
	err := s.view(func(tx kv.Tx) error { return threadsIn(bucketOpen).appendTo(&threads, tx) })
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(threads, func(a, b question.Thread) int {
		return cmp.Or(a.Asked.Compare(b.Asked), cmp.Compare(a.ID, b.ID))
	})
	return threads, nil
}

func putSettled(tx kv.Tx, t question.Thread) error {
	if err := putThread(tx, bucketSettled, t); err != nil {
		return err
	}
	return tx.Bucket(bucketEnded).Put(endedKey(endTime(t), t.ID), []byte{1})
}

// endTime is the time from which a settled thread's age counts.
func endTime(t question.Thread) time.Time {
	if t.Outcome == nil {
		return t.Asked
	}
	return t.Outcome.At
}

// putThread replaces whatever is known of the thread, and its index entries.
func putThread(tx kv.Tx, bucket string, t question.Thread) error {
	if err := removeThread(tx, t.ID); err != nil {
		return err
	}
	if err := indexThread(tx, t); err != nil {
		return err
	}
	if err := threadsIn(bucket).put(tx, t); err != nil {
		return fmt.Errorf("thread %s: %w", t.ID, err)
	}
	return nil
}

// indexThread makes the index entries by which [Store.Find] finds the thread.
func indexThread(tx kv.Tx, t question.Thread) error {
	first := announcedFirst(tx, t)
	for _, m := range indexMarks(t) {
		if m.bucket == bucketByRequest && (m.key[0] == '@') == first {
			continue
		}
		if err := tx.Bucket(m.bucket).Put(m.key, []byte(t.ID)); err != nil {
			return fmt.Errorf("thread %s: index %s: %w", t.ID, m.bucket, err)
		}
	}
	return nil
}

// announcedFirst reports whether the thread is found by its request id alone: no other
// process has a thread of that id.
func announcedFirst(tx kv.Tx, t question.Thread) bool {
	if t.Request.ID == "" {
		return true
	}
	other, found := getThread(tx, question.ID(tx.Bucket(bucketByRequest).Get(requestKey(t.Request.ID))))
	return !found || len(t.Origins) == 0 || other.WithProcessOf(t)
}

// removeThread removes the record and what points to it. An unknown thread is
// removed already.
func removeThread(tx kv.Tx, id question.ID) error {
	t, found := getThread(tx, id)
	if !found {
		return nil
	}
	for _, m := range indexMarks(t) {
		b := tx.Bucket(m.bucket)
		if string(b.Get(m.key)) != string(id) {
			continue // another thread's by now
		}
		if err := b.Delete(m.key); err != nil {
			return err
		}
	}
	return inOrder(
		func() error { return tx.Bucket(bucketOpen).Delete([]byte(id)) },
		func() error { return tx.Bucket(bucketSettled).Delete([]byte(id)) },
		func() error { return tx.Bucket(bucketEnded).Delete(endedKey(endTime(t), id)) },
	)
}

// getThread reports false for a thread that cannot be read.
func getThread(tx kv.Tx, id question.ID) (question.Thread, bool) {
	for _, bucket := range []string{bucketOpen, bucketSettled} {
		if t, found, err := threadsIn(bucket).get(tx, []byte(id)); found || err != nil {
			return t, found
		}
	}
	return question.Thread{}, false
}
