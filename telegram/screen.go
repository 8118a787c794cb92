package telegram

import (
	"hash/fnv"
	"sync"

	"hermes/internal/chat"
	"hermes/internal/recent"
)

// screen remembers what messages show, by hash, so that an edit that would
// change nothing costs nothing. It forgets what was changed longest ago: that
// edit is then made.
type screen struct {
	mu   sync.Mutex
	hash *recent.Map[messageKey, uint64]
}

type messageKey struct {
	chat chat.ID
	id   chat.MessageID
}

const screenSize = 4096

func newScreen() *screen { return &screen{hash: recent.New[messageKey, uint64](screenSize)} }

func (s *screen) put(chat chat.ID, id chat.MessageID, m message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hash.Add(messageKey{chat, id}, m.hash())
}

func (s *screen) has(chat chat.ID, id chat.MessageID, m message) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, ok := s.hash.Peek(messageKey{chat, id})
	return ok && h == m.hash()
}

func (s *screen) forget(chat chat.ID, id chat.MessageID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hash.Remove(messageKey{chat, id})
}

func (m message) hash() uint64 {
	h := fnv.New64a()
	h.Write([]byte(m.text.HTML()))
	if m.keys == nil {
		return h.Sum64()
	}
	for _, row := range m.keys.InlineKeyboard {
		h.Write([]byte{0})
		for _, btn := range row {
			h.Write([]byte(btn.Text + "\x01" + btn.CallbackData + btn.URL + "\x02"))
		}
	}
	return h.Sum64()
}
