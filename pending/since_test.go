package pending

import (
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/storage"
)

func TestEntriesSince(t *testing.T) {
	s := open(t, dbPath(t))
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for i := range 2000 {
		kind := storage.EntryRefused
		if i%4 == 0 {
			kind = storage.EntryShown
		}
		e := storage.Entry{At: start.Add(time.Duration(i) * time.Minute), Kind: kind, By: question.Actor{User: chat.UserID(i)}}
		if err := s.Commit(storage.Change{Entries: []storage.Entry{e}}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.EntriesSince(start.Add(1990*time.Minute), storage.EntryRefused)
	if err != nil || len(got) != 8 || got[0].By.User != 1990 || got[7].By.User != 1999 {
		t.Errorf("%d entries, %v", len(got), err)
	}
	if got, err := s.EntriesSince(start.Add(5000*time.Minute), storage.EntryRefused); err != nil || len(got) != 0 {
		t.Errorf("%d entries, %v", len(got), err)
	}
}

// An entry is found where it was stored, though one behind it happened before.
func TestRecorded(t *testing.T) {
	s := open(t, dbPath(t))
	mine := storage.Entry{At: time.Now(), Kind: storage.EntryAnswered, Thread: "a"}
	before := storage.Entry{At: mine.At.Add(-time.Hour), Kind: storage.EntryAnswered, Thread: "b"}
	for _, e := range []storage.Entry{mine, before} {
		if err := s.Commit(storage.Change{Entries: []storage.Entry{e}}); err != nil {
			t.Fatal(err)
		}
	}
	missing := mine
	missing.Thread = "c"
	for e, want := range map[*storage.Entry]bool{&mine: true, &before: true, &missing: false} {
		if got, err := s.Recorded(*e); got != want || err != nil {
			t.Errorf("%s: %v, %v", e.Thread, got, err)
		}
	}
	list, err := s.EntriesSince(mine.At, mine.Kind)
	if err != nil || len(list) != 1 || !list[0].Same(mine) {
		t.Errorf("since then there are %+v, %v", list, err)
	}
}
