package sessions

import (
	"errors"
	"sync"

	"hermes/internal/chat"
	"hermes/internal/recent"
)

// maxMoves bounds what is remembered of groups that became others. Groups of strangers do
// so too; what is forgotten is learned again from the first message that is sent there.
const maxMoves = 1000

// moves are the groups that became others, the last maxMoves of them. Safe for concurrent
// use.
type moves struct {
	mu sync.Mutex
	to *recent.Map[chat.ID, chat.ID]
}

func newMoves() *moves {
	return &moves{to: recent.New[chat.ID, chat.ID](maxMoves)}
}

func (m *moves) put(from, to chat.ID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.to.Put(from, to)
}

func (m *moves) get(from chat.ID) (chat.ID, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.to.Get(from)
}

// successorOf is what a chat has become.
func (m *moves) successorOf(chat chat.ID) chat.ID {
	for range 8 { // a supergroup never becomes another; no loop may hang hermes
		next, ok := m.get(chat)
		if !ok {
			break
		}
		chat = next
	}
	return chat
}

// into lists the groups that became this one.
func (m *moves) into(chat chat.ID) (list []chat.ID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for from, to := range m.to.All() {
		if to == chat {
			list = append(list, from)
		}
	}
	return list
}

// successorIn is what a chat has become, as the error reports it; 0: the error reports no
// move.
func successorIn(err error) chat.ID {
	var e interface{ Successor() chat.ID }
	if !errors.As(err, &e) {
		return 0
	}
	return e.Successor()
}
