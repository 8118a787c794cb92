package telegram

import (
	"slices"
	"sync"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/recent"
)

// messageIDs remembers the messages that were sent or seen in a chat. Ids in a chat only
// grow. What is forgotten here may be in the store.
type messageIDs struct {
	stored func(chat.ID) chat.MessageID  // Config.LastMessage
	sent   func(chat.ID, chat.MessageID) // Config.Posted

	mu    sync.Mutex
	chats *recent.Map[chat.ID, *chatIDs]
}

// chatIDs are those of one chat.
type chatIDs struct {
	highest chat.MessageID
	last    []chat.MessageID // the last ones: no copies
}

const (
	rememberChats = 4096
	rememberIDs   = 1024 // of a chat, to spare them when copies are looked for
)

func newMessageIDs(c Config) *messageIDs {
	return &messageIDs{stored: c.LastMessage, sent: c.Posted, chats: recent.New[chat.ID, *chatIDs](rememberChats)}
}

// highest is the highest id of a message that is known to be in the chat, 0 for none.
func (m *messageIDs) highest(chat chat.ID) chat.MessageID {
	stored := m.stored(chat)
	m.mu.Lock()
	defer m.mu.Unlock()
	if c, ok := m.chats.Get(chat); ok {
		return max(stored, c.highest)
	}
	return stored
}

// addSent notes a message that this process sent.
func (m *messageIDs) addSent(chat chat.ID, id chat.MessageID) {
	m.sent(chat, id)
	m.add(chat, id)
}

// addSeen notes a message that a person sent. A tapped message is not noted: it may
// be a stray copy.
func (m *messageIDs) addSeen(in inbound.Input) {
	if in.Chat != 0 && in.Message != 0 && in.Kind != inbound.Tapped {
		m.add(in.Chat, in.Message)
	}
}

func (m *messageIDs) add(chat chat.ID, id chat.MessageID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, ok := m.chats.Get(chat)
	if !ok {
		c = &chatIDs{}
	}
	m.chats.Put(chat, c) // now the newest
	c.highest = max(c.highest, id)
	c.last = append(c.last, id)
	if len(c.last) > 2*rememberIDs {
		c.last = slices.Clone(c.last[len(c.last)-rememberIDs:])
	}
}

// has reports whether a message is one of the last that were sent or seen.
func (m *messageIDs) has(chat chat.ID, id chat.MessageID) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, ok := m.chats.Get(chat)
	return ok && slices.Contains(c.last, id)
}
