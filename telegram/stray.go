package telegram

import (
	"context"
	"slices"

	"hermes/question"
)

// sendMessage has no idempotency key: a send whose outcome is unknown is made
// again, and the chat may then have the card twice. Ids in a chat only grow, so
// a stray copy lies between the highest id known before the first try and the
// new message. A bot can edit only its own messages: an edit that succeeds on an
// id that this process neither sent nor saw was a stray copy.

// maxStrays bounds the edits after one send.
const maxStrays = 5

// rememberKnown is how many ids are kept for a chat, to spare them.
const rememberKnown = 64

// strays makes stray copies harmless. It ignores all failures.
func (b *Bot) strays(ctx context.Context, c *chat, low, sent question.PostedID, w words) {
	for id := sent - 1; id > low && id >= sent-maxStrays; id-- {
		if b.chats.knows(c, id) {
			continue
		}
		err := b.edit(ctx, c, id, message{text: plain("↪ " + w.twice)})
		if err != nil && reasonOf(err) != MessageGone {
			return
		}
	}
}

// lowest is the highest id that was known before any send of this thread that
// is still in doubt. When a former process made that send, only the store knows.
func (b *Bot) lowest(c *chat, thread question.ID, again bool) question.PostedID {
	stored := b.last(c.id)
	b.chats.mu.Lock()
	defer b.chats.mu.Unlock()
	if low, ok := c.before[string(thread)]; ok {
		return low
	}
	if again {
		return stored
	}
	return max(stored, c.highest)
}

// doubt notes that a send of the thread is in doubt, or that none is any more.
func (s *chats) doubt(c *chat, thread string, low question.PostedID, unknown bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if unknown {
		c.before[thread] = low
		return
	}
	delete(c.before, thread)
}

// posted notes a message that this process sent.
func (s *chats) posted(c *chat, id question.PostedID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.note(id)
}

// saw notes a message that a person sent. A tapped message is not noted: it may
// be a stray copy.
func (s *chats) saw(in question.Input) {
	if in.Chat == 0 || in.Message == 0 || in.Kind == question.Tapped {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.get(in.Chat).note(in.Message)
}

func (c *chat) note(id question.PostedID) {
	c.highest = max(c.highest, id)
	c.known = append(c.known, id)
	if len(c.known) > rememberKnown {
		c.known = slices.Clone(c.known[len(c.known)-rememberKnown:])
	}
}

func (s *chats) knows(c *chat, id question.PostedID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(c.known, id)
}
