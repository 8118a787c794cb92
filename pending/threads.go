package pending

import (
	"cmp"
	"slices"
	"time"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// Threads returns the threads for which something is still owed, the oldest
// first. What is settled and told everywhere is not read.
func (s *Store) Threads() (threads []question.Thread, err error) {
	err = s.read(func(t *tx) { threads = openThreads.all(t) })
	slices.SortStableFunc(threads, func(a, b question.Thread) int {
		return cmp.Or(a.Asked.Compare(b.Asked), cmp.Compare(a.ID, b.ID))
	})
	return threads, err
}

// Find returns the thread that the key names, whether settled or not, until it
// is pruned. A thread that is not there, or cannot be read, is no error.
func (s *Store) Find(k storage.Key) (th question.Thread, found bool, err error) {
	err = s.read(func(t *tx) {
		th, found = getThread(t, threadIDOf(t, k))
		if k.Request != "" && k.Origin != (session.Origin{}) && !(found && th.FromProcess(k.Origin)) {
			th, found = getThread(t, question.ID(t.get(bucketByRequest, processKey(k.Origin, k.Request))))
		}
	})
	return th, found, err
}

// threadIDOf returns the ID that the key stands for; empty if there is none.
func threadIDOf(t *tx, k storage.Key) question.ID {
	switch {
	case k.ID != "":
		return k.ID
	case k.Request != "":
		return question.ID(t.get(bucketByRequest, requestKey(k.Request)))
	}
	return question.ID(t.get(bucketByMessage, messageKey(k.Chat, k.Message)))
}

// Ended returns the settled asks that ended last, at most n, the last one first. Who asks to be let in asks nothing.
func (s *Store) Ended(n int) (list []question.Thread, err error) {
	err = s.read(func(t *tx) {
		for key := range t.Bucket(bucketEnded).Backward() {
			if len(list) == n {
				return
			}
			if th, found := getThread(t, endedID(key)); found && th.Request.Admission == nil {
				list = append(list, th)
			}
		}
	})
	return list, err
}

// getThread reports false for a thread that cannot be read.
func getThread(t *tx, id question.ID) (question.Thread, bool) {
	for _, records := range []records[question.Thread]{openThreads, settledThreads} {
		if th, found, err := records.get(t, []byte(id)); found || err != nil {
			return th, found
		}
	}
	return question.Thread{}, false
}

func putSettled(t *tx, th question.Thread) {
	putThread(t, bucketSettled, th)
	t.put(bucketEnded, endedKey(endTime(th), th.ID), []byte{1})
}

// endTime is the time from which a settled thread's age counts.
func endTime(t question.Thread) time.Time {
	if t.Outcome == nil {
		return t.Asked
	}
	return t.Outcome.At
}

// putThread replaces whatever is known of the thread, and its index entries.
func putThread(t *tx, bucket string, th question.Thread) {
	removeThread(t, th.ID)
	indexThread(t, th)
	threadsIn(bucket).put(t, th)
}

// indexThread makes the index entries by which [Store.Find] finds the thread.
func indexThread(t *tx, th question.Thread) {
	first := announcedFirst(t, th)
	for _, m := range indexMarks(th) {
		if m.bucket == bucketByRequest && (m.key[0] == '@') == first {
			continue
		}
		t.put(m.bucket, m.key, []byte(th.ID))
	}
}

// announcedFirst reports whether the thread is found by its request id alone: no other
// process has a thread of that id.
func announcedFirst(t *tx, th question.Thread) bool {
	if th.Request.ID == "" {
		return true
	}
	other, found := getThread(t, question.ID(t.get(bucketByRequest, requestKey(th.Request.ID))))
	return !found || len(th.Origins) == 0 || other.WithProcessOf(th)
}

// removeThread removes the record and what points to it. An unknown thread is
// removed already.
func removeThread(t *tx, id question.ID) {
	th, found := getThread(t, id)
	if !found {
		return
	}
	for _, m := range indexMarks(th) {
		if string(t.get(m.bucket, m.key)) == string(id) { // else it is another thread's by now
			t.delete(m.bucket, m.key)
		}
	}
	t.delete(bucketOpen, []byte(id))
	t.delete(bucketSettled, []byte(id))
	t.delete(bucketEnded, endedKey(endTime(th), id))
}
