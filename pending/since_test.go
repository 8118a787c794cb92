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
	var all []storage.Entry
	for i := range 2000 {
		kind := storage.EntryRefused
		if i%4 == 0 {
			kind = storage.EntryShown
		}
		all = append(all, storage.Entry{At: start.Add(time.Duration(i) * time.Minute), Kind: kind, By: question.Actor{User: chat.UserID(i)}})
	}
	commit(t, s, storage.Change{Entries: all})
	got, err := s.EntriesSince(start.Add(1990*time.Minute), storage.EntryRefused)
	if err != nil || len(got) != 8 || got[0].By.User != 1990 || got[7].By.User != 1999 {
		t.Errorf("%d entries, %v", len(got), err)
	}
	if got, err := s.EntriesSince(start.Add(5000*time.Minute), storage.EntryRefused); err != nil || len(got) != 0 {
		t.Errorf("%d entries, %v", len(got), err)
	}
}
