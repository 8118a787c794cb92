package pending

import (
	"path/filepath"
	"testing"
	"time"

	"hermes/internal/storage"
)

// What owners were told is kept, each for itself, beside what else changes at a link.
func TestLinks_Told(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hermes.db")
	s, err := openEngine(file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	seen := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	l := Link{Name: "laptop", Made: seen, Seen: seen}
	must(s.Links().Add(l, storage.Entry{Kind: storage.EntryLinked}))
	must(s.Links().NoteTold(map[string]LinkTold{"laptop": {Silent: seen}, "gone": {Old: "1.0.0"}}))
	must(s.Links().NoteTold(map[string]LinkTold{"laptop": {Old: "1.0.0"}}))
	must(s.Links().NoteUse(l))
	must(s.Links().SetOwner("laptop", 7, storage.Entry{Kind: storage.EntryLinked}))
	must(s.Links().NoteTold(map[string]LinkTold{"laptop": {Refused: "0.9.0"}}))
	must(s.Close())
	s, err = openEngine(file, Options{})
	must(err)
	defer func() { must(s.Close()) }()
	list, err := s.Links().All()
	must(err)
	if want := (LinkTold{seen, "1.0.0", "0.9.0"}); len(list) != 1 || list[0].Told != want || list[0].Owner != 7 {
		t.Errorf("%+v", list)
	}
}
