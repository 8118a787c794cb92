package telegram

import (
	"testing"

	"hermes/internal/chat"
)

// Beyond what it remembers, the screen forgets the message that was changed longest ago,
// and no other: of the others no needless edit is made.
func TestScreen_ForgetsTheOldestFirst(t *testing.T) {
	s, m := newScreen(), message{}
	for id := range chat.MessageID(screenSize) {
		s.put(1, id, m)
	}
	s.put(1, 0, m) // changed again
	s.put(1, screenSize, m)
	for id, want := range map[chat.MessageID]bool{0: true, 1: false, 2: true, screenSize / 2: true, screenSize: true} {
		if got := s.has(1, id, m); got != want {
			t.Errorf("message %d is remembered: %v", id, got)
		}
	}
}

func TestLanguages_Table(t *testing.T) {
	l := languages{"auto", func(id chat.ID) string {
		if id == 7 {
			return "zh"
		}
		return ""
	}}
	if got := l.table(7, "zh-hans").Send; got != "发送" {
		t.Error(got)
	}
	if got := l.table(7, "").Send + l.table(8, "").Send; got != "发送Send" {
		t.Error(got)
	}
	if got := (languages{"en", l.ofChat}).table(7, "zh").Send; got != "Send" {
		t.Error(got)
	}
}
