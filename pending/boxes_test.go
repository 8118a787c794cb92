package pending

import (
	"testing"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/storage"
)

// The thread of a reply box is found by its message, as long as its record has it.
func TestFind_ByReplyBox(t *testing.T) {
	s := open(t, dbPath(t))
	th := thread(1)
	th.Cards = []question.Card{{Chat: -5, Messages: []chat.MessageID{7}, Boxes: []question.ReplyBox{{Begun: true}, {Begun: true, Message: 8}, {Message: 9, Over: true}}}}
	commit(t, s, storage.Change{Threads: []question.Thread{th}})
	for message, want := range map[chat.MessageID]bool{7: true, 8: true, 9: true, 10: false, 0: false} {
		if got, ok, err := s.Find(storage.Key{Chat: -5, Message: message}); err != nil || ok != want || ok && got.ID != th.ID {
			t.Errorf("message %d: %v, %v", message, ok, err)
		}
	}
	th.Cards[0].Boxes = th.Cards[0].Boxes[:2]
	commit(t, s, storage.Change{Retired: []question.Thread{th}})
	for message, want := range map[chat.MessageID]bool{8: true, 9: false} {
		if _, ok, err := s.Find(storage.Key{Chat: -5, Message: message}); err != nil || ok != want {
			t.Errorf("retired, message %d: %v, %v", message, ok, err)
		}
	}
}
