package pending

import (
	"errors"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/storage"
)

// What was sent to a chat, and is on no other record, is known after a restart, if anything
// at all was stored after it.
func TestPosted_IsKnownLater(t *testing.T) {
	path := dbPath(t)
	s := open(t, path)
	last := func(chat chat.ID, want chat.MessageID) {
		t.Helper()
		if got, err := s.LastMessage(chat); err != nil || got != want {
			t.Errorf("the last message of %d: %d, %v, want %d", chat, got, err, want)
		}
	}
	s.Posted(7, 12)
	s.Posted(7, 11)
	s.Posted(-5, 3)
	last(7, 0)
	if err := s.Beat(time.Now()); err != nil {
		t.Fatal(err)
	}
	last(7, 12)
	last(-5, 3)
	asked := thread(1)
	asked.Cards = []question.Card{{Chat: 7, Messages: []chat.MessageID{20}}}
	s.Posted(7, 20)
	commit(t, s, storage.Change{Threads: []question.Thread{asked}})
	last(7, 20)
	s.Posted(7, 21)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, path)
	last(7, 20)
	last(-5, 3)
}

// A write that failed leaves it to the next one.
func TestPosted_WaitsForAWrite(t *testing.T) {
	full := false
	s, err := openEngine(dbPath(t), Options{NoSync: true, Write: func(write func() error) error {
		if full {
			return errors.New("no space")
		}
		return write()
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Posted(7, 12)
	full = true
	if s.Beat(time.Now()) == nil {
		t.Error("stored on a full disk")
	}
	full = false
	if err := s.Beat(time.Now()); err != nil {
		t.Fatal(err)
	}
	if got, err := s.LastMessage(7); err != nil || got != 12 {
		t.Errorf("%d, %v", got, err)
	}
}
