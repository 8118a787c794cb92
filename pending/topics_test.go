package pending

import (
	"reflect"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

func TestTopics_ComeBack(t *testing.T) {
	s := open(t, dbPath(t))
	want := fill[storage.Topic]()
	other := storage.Topic{Chat: want.Chat, Root: session.ID(strings.Repeat("long", 20_000))}
	commit(t, s, storage.Change{Topics: []storage.Topic{other}})
	commit(t, s, storage.Change{Topics: []storage.Topic{want}})
	got, err := reopen(t, s).Topics()
	if err != nil || len(got) != 2 || !reflect.DeepEqual(got[0], other) && !reflect.DeepEqual(got[0], want) || !reflect.DeepEqual(got[1], want) && !reflect.DeepEqual(got[1], other) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// A topic that was made and the cards that go there are stored together, or not at all.
func TestTopics_AreOneTransaction(t *testing.T) {
	s := open(t, dbPath(t))
	rawFile(t, s, func(tx *bolt.Tx) error { return tx.DeleteBucket([]byte(bucketTopics)) })
	func() {
		defer func() { _ = recover() }() // of the bucket that is missing
		_ = s.Commit(storage.Change{Threads: []question.Thread{thread(1)}, Topics: []storage.Topic{{Chat: -1, Root: "ses", ID: 7}}})
	}()
	rawFile(t, s, func(tx *bolt.Tx) error { _, err := tx.CreateBucket([]byte(bucketTopics)); return err })
	if threads, err := s.Threads(); err != nil || len(threads) != 0 {
		t.Errorf("half of it is stored: %+v, %v", threads, err)
	}
}

func TestTopics_AreDropped(t *testing.T) {
	s := open(t, dbPath(t))
	commit(t, s, storage.Change{Topics: []storage.Topic{{Chat: -1, Root: "ses_a", ID: 1}, {Chat: -1, Root: "ses_b", ID: 2}}})
	commit(t, s, storage.Change{Dropped: []storage.Topic{{Chat: -1, Root: "ses_a"}, {Chat: -2, Root: "ses_b"}}})
	if got, err := s.Topics(); err != nil || len(got) != 1 || got[0].ID != 2 {
		t.Errorf("left: %+v, %v", got, err)
	}
}

func TestPrune_ForgetsClosedTopics(t *testing.T) {
	s := open(t, dbPath(t))
	before := time.Date(2026, 11, 10, 0, 0, 0, 0, time.UTC)
	commit(t, s, storage.Change{Topics: []storage.Topic{
		{Chat: -1, Root: "ses_a", ID: 1}, {Chat: -1, Root: "ses_b", ID: 2, Closed: before.Add(-1)}, {Chat: -1, Root: "ses_c", ID: 3, Closed: before},
	}})
	if _, err := s.Prune(before); err != nil {
		t.Fatal(err)
	}
	got, err := s.Topics()
	if err != nil || len(got) != 2 || got[0].ID != 1 || got[1].ID != 3 {
		t.Errorf("left: %+v, %v", got, err)
	}
}

// A file of the schema's first days has no bucket for topics.
func TestTopics_OfAnOldFile(t *testing.T) {
	s := open(t, restore(t))
	if got, err := s.Topics(); err != nil || len(got) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
