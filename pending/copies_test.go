package pending

import (
	"reflect"
	"testing"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/retry"
	"hermes/internal/storage"
)

// Where copies of a card may lie outlives the process, and so does a search that failed.
func TestCommit_KeepsCopies(t *testing.T) {
	path := dbPath(t)
	s := open(t, path)
	want := thread(1)
	want.Cards = []question.Card{{
		Chat: 42, Messages: []chat.MessageID{59}, Others: []chat.MessageID{60}, Unsure: true,
		Copies: []chat.Span{
			{After: 55, Before: 59, Likely: true, Since: sampleTime(3)}, {After: 59}, {After: -1, Likely: true},
		},
		Search: retry.Attempts{Made: 2, Next: sampleTime(4)},
	}}
	commit(t, s, storage.Change{
		Threads:     []question.Thread{want},
		MessageRefs: []remote.MessageRef{{Chat: 42, Message: 61, Session: "ses_1", At: sampleTime(5)}},
	})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, path)
	got, found, err := s.Find(storage.Key{ID: want.ID})
	if err != nil || !found || !reflect.DeepEqual(got.Cards, want.Cards) {
		t.Errorf("%+v, %v, %v", got.Cards, found, err)
	}
	for id, want := range map[chat.MessageID]bool{58: false, 59: true, 60: true, 61: true, 62: false} {
		if known, err := s.Known(42, id); err != nil || known != want {
			t.Errorf("message %d: known %v, %v", id, known, err)
		}
	}
	if known, err := s.Known(43, 59); err != nil || known {
		t.Errorf("the same message of another chat: known %v, %v", known, err)
	}
}
