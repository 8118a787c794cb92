package pending

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"hermes/internal/question"
	"hermes/internal/sorting"
	"hermes/pending/kv"
)

// Threads returns the threads for which something is still owed, the oldest
// first. What is settled and told everywhere is not read.
func (s *Store) Threads() ([]question.Thread, error) {
	var threads []question.Thread
	err := s.view(func(tx kv.Tx) error {
		return tx.Bucket(bucketOpen).ForEach(func(id, value []byte) error {
			t, err := readThread(id, value)
			threads = append(threads, t)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	sorting.By(threads, func(a, b question.Thread) int {
		return cmp.Or(a.Asked.Compare(b.Asked), cmp.Compare(a.ID, b.ID))
	})
	return threads, nil
}

func putOpen(tx kv.Tx, t question.Thread) error {
	return putThread(tx, bucketOpen, t)
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
	value, err := json.Marshal(threadToRecord(t))
	if err != nil {
		return fmt.Errorf("thread %s: %w", t.ID, err)
	}
	if err := indexThread(tx, t); err != nil {
		return err
	}
	return tx.Bucket(bucket).Put([]byte(t.ID), value)
}

// indexThread makes the index entries by which [Store.Find] finds the thread.
func indexThread(tx kv.Tx, t question.Thread) error {
	first, err := announcedFirst(tx, t)
	if err != nil {
		return err
	}
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
func announcedFirst(tx kv.Tx, t question.Thread) (bool, error) {
	if t.Request.ID == "" {
		return true, nil
	}
	other, found, err := getThread(tx, question.ID(tx.Bucket(bucketByRequest).Get(requestKey(t.Request.ID))))
	return !found || len(t.Origins) == 0 || other.WithProcessOf(t), err
}

// removeThread removes the record and what points to it. An unknown thread is
// removed already.
func removeThread(tx kv.Tx, id question.ID) error {
	t, found, err := getThread(tx, id)
	if err != nil || !found {
		return err
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

func getThread(tx kv.Tx, id question.ID) (question.Thread, bool, error) {
	for _, bucket := range []string{bucketOpen, bucketSettled} {
		if value := tx.Bucket(bucket).Get([]byte(id)); value != nil {
			t, err := readThread([]byte(id), value)
			return t, err == nil, err
		}
	}
	return question.Thread{}, false, nil
}

func readThread(id, value []byte) (question.Thread, error) {
	var r threadRecord
	if err := json.Unmarshal(value, &r); err != nil {
		return question.Thread{}, fmt.Errorf("the record of thread %q: %w", id, err)
	}
	return r.toThread(), nil
}
