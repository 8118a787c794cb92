package pending

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/session"
	"hermes/internal/storage"
)

func TestLinks_ComeBack(t *testing.T) {
	s := open(t, dbPath(t))
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	want := []Link{{ID: "a@1", Name: "a", Hash: [32]byte{1, 2}, Made: at}, {ID: "b@2", Name: "b", Hash: [32]byte{3}, Made: at, Seen: at.Add(time.Hour), Host: "ada's \xff"}}
	for _, l := range []Link{want[1], want[0]} {
		must(t, s.Links().Add(l, storage.Entry{At: at, Kind: storage.EntryLinked, Note: l.Name}))
	}
	if err := s.Links().Add(Link{Name: "a", Hash: [32]byte{9}}, storage.Entry{At: at, Kind: storage.EntryLinked}); !errors.Is(err, ErrLinkExists) {
		t.Errorf("the same name again: %v", err)
	}
	s = reopen(t, s)
	if got, err := s.Links().All(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	must(t, s.Links().NoteUse(Link{Name: "gone", Seen: at, Host: "h"}, Link{ID: "a@1", Name: "a", Seen: at.Add(time.Minute), Host: "h"}, Link{ID: "b@1", Name: "b", Seen: at, Host: "another one"}))
	want[0].Seen, want[0].Host = at.Add(time.Minute), "h"
	if got, err := s.Links().All(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("after it was seen: %+v, %v", got, err)
	}
	must(t, s.Links().Remove("b", storage.Entry{At: at, Kind: storage.EntryUnlinked, Note: "b"}))
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

// A link from before links had ids has its name as its id, and keeps it when it is renamed: what it has asked names it so. Another link
// that gets the name later is another one.
func TestLinks_Rename(t *testing.T) {
	s := open(t, dbPath(t))
	raw(t, s, func(tx *tx) error {
		return tx.Bucket(bucketLinks).Put([]byte("laptop"), []byte(`{"hash":"`+strings.Repeat("ab", 32)+`","made":"2026-11-21T12:00:00Z","host":"ada","owner":42}`))
	})
	s = reopen(t, s)
	e := storage.Entry{At: time.Now(), Kind: storage.EntryRenamed, Note: "desk", Detail: "laptop"}
	must(t, s.Links().Rename("laptop", "desk", e))
	next := Link{ID: session.NewLinkID("laptop"), Name: "laptop", Hash: [32]byte{2}}
	must(t, s.Links().Add(next, storage.Entry{At: time.Now(), Kind: storage.EntryLinked, Note: "laptop"}))
	for name, want := range map[string]error{"laptop": ErrLinkExists, "gone": ErrNoLink} {
		if err := s.Links().Rename(name, "desk", e); !errors.Is(err, want) {
			t.Errorf("%s renamed to a name that is taken: %v, want %v", name, err, want)
		}
	}
	s = reopen(t, s)
	list, err := s.Links().All()
	if err != nil || len(list) != 2 || list[0].Name != "desk" || list[0].ID != "laptop" || list[0].Owner != 42 || list[0].Host != "ada" || list[1].ID != next.ID {
		t.Errorf("got %+v, %v", list, err)
	}
	if last, err := s.Last(); err != nil || last != 2 || s.Verify() != nil {
		t.Errorf("the journal has %d entries, %v, %v", last, err, s.Verify())
	}
}

// The name that a machine chose for its link stays its own word, over a restart and whoever gets the link, until somebody names the
// link. One of an older hermes may have been made so if it is somebody's.
func TestLinks_NamedByTheirMachines(t *testing.T) {
	s := open(t, dbPath(t))
	now := time.Now()
	raw(t, s, func(tx *tx) error {
		for name, owner := range map[string]string{"old, Ada's": `,"owner":42`, "old": ""} {
			if err := tx.Bucket(bucketLinks).Put([]byte(name), []byte(`{"hash":"`+strings.Repeat("ab", 32)+`","made":"2026-11-21T12:00:00Z"`+owner+`}`)); err != nil {
				return err
			}
		}
		return nil
	})
	s = reopen(t, s)
	c := codeOf(t, s, now, 42)
	if _, _, err := s.Links().Redeem(Exchange{Code: c.Hash, Token: [32]byte{1}, Name: "ci-1"}, now, func(chat.UserID) bool { return true }); err != nil {
		t.Fatal(err)
	}
	must(t, s.Links().Add(Link{Name: "made", Hash: [32]byte{2}, Owner: 42}, storage.Entry{At: now, Kind: storage.EntryLinked}))
	want := func(names ...string) {
		t.Helper()
		s = reopen(t, s)
		list, err := s.Links().All()
		var got []string
		for _, l := range list {
			if l.ByMachine {
				got = append(got, l.Name)
			}
		}
		if err != nil || !slices.Equal(got, names) {
			t.Errorf("named by their machines are %q, %v, want %q", got, err, names)
		}
	}
	want("ci-1", "old, Ada's")
	for _, name := range []string{"ci-1", "old, Ada's", "made", "old"} {
		for _, owner := range []chat.UserID{0, 43} {
			must(t, s.Links().SetOwner(name, owner, storage.Entry{At: now, Kind: storage.EntryOwned}))
			want("ci-1", "old, Ada's")
		}
	}
	for _, name := range []string{"ci-1", "old, Ada's"} {
		must(t, s.Links().Rename(name, name, storage.Entry{At: now, Kind: storage.EntryRenamed}))
	}
	want()
}
