package sessions

import (
	"sync"

	"hermes/internal/chat"
	"hermes/internal/inbound"
)

// inFlight counts the messages that are on their way to the chats, and keeps the replies
// that may be for one of them: people may see a message, and reply to it, before hermes
// knows its number. It is safe for concurrent use, and nobody waits for it.
type inFlight struct {
	mu      sync.Mutex
	count   map[chat.ID]int
	replies []earlyReply
	kept    map[chat.UpdateID]bool // the replies that were kept once; none is kept twice
}

// earlyReply is a reply that came before what it may be for was known to be shown.
type earlyReply struct {
	in   inbound.Input
	left int // messages that it waits for
}

func newInFlight() *inFlight {
	return &inFlight{count: map[chat.ID]int{}, kept: map[chat.UpdateID]bool{}}
}

// countUp notes that a message is on its way.
func (f *inFlight) countUp(chat chat.ID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count[chat]++
}

// keepReply keeps a reply, once, while something is on its way to its chat. It reports
// whether it did. The update stays in the inbox.
func (f *inFlight) keepReply(in inbound.Input) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kept[in.Update] || f.count[in.Chat] == 0 {
		delete(f.kept, in.Update)
		return false
	}
	f.kept[in.Update] = true
	f.replies = append(f.replies, earlyReply{in, f.count[in.Chat]})
	return true
}

// countDown notes that a message has arrived, or never will, and returns the replies that need
// not wait any more, in their order.
func (f *inFlight) countDown(chat chat.ID) []inbound.Input {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count[chat]--
	var free []inbound.Input
	kept := f.replies[:0]
	for _, e := range f.replies {
		if e.in.Chat == chat {
			e.left--
		}
		if e.left == 0 {
			free = append(free, e.in)
		} else {
			kept = append(kept, e)
		}
	}
	f.replies = kept
	return free
}
