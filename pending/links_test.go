package pending

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"hermes/internal/storage"
)

func TestLinks_ComeBack(t *testing.T) {
	s := open(t, dbPath(t))
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	want := []Link{{Name: "a", Hash: [32]byte{1, 2}, Made: at}, {Name: "b", Hash: [32]byte{3}, Made: at, Seen: at.Add(time.Hour), Host: "ada's \xff"}}
	for _, l := range []Link{want[1], want[0]} {
		if err := s.Links().Add(l, storage.Entry{At: at, Kind: storage.EntryLinked, Note: l.Name}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Links().Add(Link{Name: "a", Hash: [32]byte{9}}, storage.Entry{At: at, Kind: storage.EntryLinked}); !errors.Is(err, ErrLinkExists) {
		t.Errorf("the same name again: %v", err)
	}
	s = reopen(t, s)
	if got, err := s.Links().All(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	if err := s.Links().NoteUse(Link{Name: "gone", Seen: at, Host: "h"}, Link{Name: "a", Seen: at.Add(time.Minute), Host: "h"}); err != nil {
		t.Fatal(err)
	}
	want[0].Seen, want[0].Host = at.Add(time.Minute), "h"
	if got, err := s.Links().All(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("after it was seen: %+v, %v", got, err)
	}
	if err := s.Links().Remove("b", storage.Entry{At: at, Kind: storage.EntryUnlinked, Note: "b"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Links().Remove("b", storage.Entry{At: at, Kind: storage.EntryUnlinked}); !errors.Is(err, ErrNoLink) {
		t.Errorf("removed again: %v", err)
	}
	s = reopen(t, s)
	if got, err := s.Links().All(); err != nil || !reflect.DeepEqual(got, want[:1]) {
		t.Errorf("after one was removed: %+v, %v", got, err)
	}
	if last, err := s.Last(); err != nil || last != 3 || s.Verify() != nil {
		t.Errorf("the journal has %d entries, %v, %v", last, err, s.Verify())
	}
}

// A link that could not be revoked while its record was set aside does not come back by itself.
func TestLinks_AreNotPutBack(t *testing.T) {
	s := open(t, dbPath(t))
	if err := s.Links().Add(Link{Name: "laptop", Hash: [32]byte{1}}, storage.Entry{Kind: storage.EntryLinked}); err != nil {
		t.Fatal(err)
	}
	var good []byte
	raw(t, s, func(tx *bolt.Tx) error {
		good = bytes.Clone(tx.Bucket([]byte(bucketLinks)).Get([]byte("laptop")))
		return tx.Bucket([]byte(bucketLinks)).Put([]byte("laptop"), []byte(`{"hash":{"newer":"form"}}`))
	})
	s = reopen(t, s)
	raw(t, s, func(tx *bolt.Tx) error { // as a hermes finds it that can read it
		b := tx.Bucket([]byte(bucketUnreadable))
		key, value := b.Cursor().First()
		var r unreadableRecord
		if err := json.Unmarshal(value, &r); err != nil {
			return err
		}
		r.Value = good
		return putJSON(tx, bucketUnreadable, bytes.Clone(key), r)
	})
	s = reopen(t, s)
	if links, err := s.Links().All(); err != nil || len(links) > 0 || len(s.AtOpen().Restored) > 0 {
		t.Errorf("it came back: %+v, %v", links, err)
	}
}
