package telegram

import (
	"testing"

	"hermes/internal/chat"
	"hermes/internal/inbound"
)

func TestMessageIDs(t *testing.T) {
	var sent []chat.MessageID
	m := newMessageIDs(Config{
		LastMessage: func(chat.ID) chat.MessageID { return 5 },
		Posted:      func(_ chat.ID, id chat.MessageID) { sent = append(sent, id) },
	})
	if got := m.highest(7); got != 5 || m.has(7, 5) {
		t.Errorf("a chat of which only the store knows: %d", got)
	}
	m.addSent(7, 9)
	m.addSeen(inbound.Input{Kind: inbound.Typed, Chat: 7, Message: 8})
	m.addSeen(inbound.Input{Kind: inbound.Tapped, Chat: 7, Message: 12}) // perhaps a copy
	if m.highest(7) != 9 || !m.has(7, 8) || m.has(7, 12) || len(sent) != 1 {
		t.Errorf("the highest is %d, sent are %v", m.highest(7), sent)
	}
	for id := range chat.MessageID(3 * rememberIDs) {
		m.add(7, 100+id)
	}
	if m.has(7, 9) || !m.has(7, 100+3*rememberIDs-1) {
		t.Error("the last messages of a chat are remembered, and no others")
	}
	for chat := range chat.ID(rememberChats) {
		m.add(1000+chat, 1)
	}
	if m.highest(7) != 5 {
		t.Error("a chat in which nothing happened for long is forgotten")
	}
}
