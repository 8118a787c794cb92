package telegram

import (
	"sync"
	"time"

	"hermes/internal/chat"
	"hermes/internal/recent"
)

// fileAgain is when a chat that took no file is offered one again: the right may have come back.
const fileAgain = time.Hour

// fileRefusals are the chats that have refused a file of late.
type fileRefusals struct {
	mu    sync.Mutex
	until *recent.Map[chat.ID, time.Time]
}

func newFileRefusals() *fileRefusals {
	return &fileRefusals{until: recent.New[chat.ID, time.Time](rememberChats)}
}

func (r *fileRefusals) add(chat chat.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.until.Put(chat, time.Now().Add(fileAgain))
}

func (r *fileRefusals) has(chat chat.ID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	until, ok := r.until.Get(chat)
	return ok && time.Now().Before(until)
}
