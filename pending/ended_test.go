package pending

import (
	"testing"
	"time"

	"hermes/internal/question"
	"hermes/internal/storage"
)

func TestEnded(t *testing.T) {
	s, at := open(t, dbPath(t)), time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	commit(t, s, storage.Change{
		Threads: []question.Thread{thread(1)},
		Retired: []question.Thread{settled(2, at.Add(time.Hour)), settled(3, at), settled(4, at.Add(2*time.Hour))},
	})
	for n, want := range map[int]string{0: "", 1: "4", 2: "42", 9: "423"} {
		list, err := s.Ended(n)
		got := ""
		for _, th := range list {
			got += string(th.ID[len(th.ID)-1:])
		}
		if got != want || err != nil {
			t.Errorf("the last %d are %q, %v, want %q", n, got, err, want)
		}
	}
}
