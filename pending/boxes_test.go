package pending

import (
	"testing"

	"hermes/internal/question"
)

// The thread of a reply box is found by its message, as long as its record has it.
func TestFind_ByReplyBox(t *testing.T) {
	s := open(t, dbPath(t))
	th := thread(1)
	th.Cards = []question.Card{{Chat: -5, Messages: []question.PostedID{7}, Boxes: []question.ReplyBox{{Begun: true}, {Begun: true, Message: 8}, {Message: 9, Over: true}}}}
	commit(t, s, question.Change{Threads: []question.Thread{th}})
	for message, want := range map[question.PostedID]bool{7: true, 8: true, 9: true, 10: false, 0: false} {
		if got, ok, err := s.Find(question.Key{Chat: -5, Message: message}); err != nil || ok != want || ok && got.ID != th.ID {
			t.Errorf("message %d: %v, %v", message, ok, err)
		}
	}
	th.Cards[0].Boxes = th.Cards[0].Boxes[:2]
	commit(t, s, question.Change{Retired: []question.Thread{th}})
	for message, want := range map[question.PostedID]bool{8: true, 9: false} {
		if _, ok, err := s.Find(question.Key{Chat: -5, Message: message}); err != nil || ok != want {
			t.Errorf("retired, message %d: %v, %v", message, ok, err)
		}
	}
}
