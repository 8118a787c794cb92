package pending

import (
	"bytes"
	"os"
	"reflect"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"hermes/internal/chat"
	"hermes/internal/storage"
)

func TestPairings_ComeBack(t *testing.T) {
	s := open(t, dbPath(t))
	var want storage.Pairings
	for n := range 2 {
		i, _ := storage.Invite(time.Date(2026, 11, 21, 12, n, 0, 0, time.UTC))
		i.Hash[0] = byte(n) // the order that they come back in
		i.Group, i.Name, i.Roles, i.Used = true, "Ada \xff", []string{"dev", "ops"}, i.Made.Add(time.Minute)
		want.Invitations = append(want.Invitations, i)
		want.Guests = append(want.Guests, storage.Guest{User: chat.UserID(42 + n), Name: "Ada", Roles: []string{"dev"}, Since: i.Made, Invitation: i.ID, Chat: 42})
		want.Groups = append(want.Groups, storage.GuestGroup{Chat: chat.ID(-100 + n), By: 42, Since: i.Made, Invitation: i.ID})
	}
	commit(t, s, storage.Change{Paired: want})
	s = reopen(t, s)
	if got, err := s.Pairings(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	gone := storage.Pairings{Invitations: want.Invitations[:1], Guests: want.Guests[1:], Groups: want.Groups[:1]}
	commit(t, s, storage.Change{Unpaired: gone})
	left := storage.Pairings{Invitations: want.Invitations[1:], Guests: want.Guests[:1], Groups: want.Groups[1:]}
	if got, err := reopen(t, s).Pairings(); err != nil || !reflect.DeepEqual(got, left) {
		t.Errorf("then %+v, %v", got, err)
	}
}

// An update that used an invitation is consumed together with it, or not at all.
func TestPairings_AreOneTransaction(t *testing.T) {
	s := open(t, dbPath(t))
	i, _ := storage.Invite(time.Now())
	commit(t, s, storage.Change{Paired: storage.Pairings{Invitations: []storage.Invitation{i}}})
	put(t, s, updates(7))
	rawFile(t, s, func(tx *bolt.Tx) error { return tx.DeleteBucket([]byte(bucketPeople)) })
	used := i
	used.Used = i.Made
	func() {
		defer func() { _ = recover() }() // of the bucket that is missing
		_ = s.Commit(storage.Change{
			Paired:   storage.Pairings{Invitations: []storage.Invitation{used}, Guests: []storage.Guest{{User: 42}}},
			Consumed: []chat.UpdateID{7},
		})
	}()
	rawFile(t, s, func(tx *bolt.Tx) error { _, err := tx.CreateBucket([]byte(bucketPeople)); return err })
	got, err := s.Pairings()
	inbox, err2 := s.Inbox()
	if err != nil || err2 != nil || len(inbox) != 1 || len(got.Guests) != 0 || len(got.Invitations) != 1 || !got.Invitations[0].Used.IsZero() {
		t.Errorf("half of it is stored: %+v, %d updates, %v, %v", got, len(inbox), err, err2)
	}
}

// The file never holds what opens a door.
func TestPairings_DoNotHoldTheCode(t *testing.T) {
	ofFile(t)
	s := open(t, dbPath(t))
	i, code := storage.Invite(time.Now())
	commit(t, s, storage.Change{
		Paired:  storage.Pairings{Invitations: []storage.Invitation{i}},
		Entries: []storage.Entry{{At: i.Made, Kind: storage.EntryInvited, Thread: i.ID}},
	})
	s.Close()
	content, err := os.ReadFile(s.path)
	if err != nil || bytes.Contains(content, []byte(code)) || !bytes.Contains(content, i.Hash[:]) {
		t.Errorf("the file has the code, or not its hash; %v", err)
	}
}

// A file of the schema's first days has no buckets for pairings.
func TestPairings_OfAnOldFile(t *testing.T) {
	s := open(t, restore(t))
	if p, err := s.Pairings(); err != nil || !p.Empty() {
		t.Errorf("%+v, %v", p, err)
	}
}
