package bridge

import (
	"hermes/internal/policy"
	"hermes/internal/question"
)

// homes are the chats that hermes is set up for. They are read beside the loop.
type homes struct {
	rules *policy.Book
	chats map[question.ChatID]bool // that the rules name, by the ids they had and have
}

// Home reports whether hermes is set up for a chat: the private chat of a person on the
// list, or one that the configuration names or an invitation let in. It may be called
// from anywhere; it waits until the records are loaded, and never for the loop.
func (b *Bridge) Home(id question.ChatID) bool {
	select {
	case <-b.loaded:
	case <-b.loop.Gone():
	}
	h := b.homes.Load()
	return h != nil && h.has(id)
}

func (h *homes) has(id question.ChatID) bool {
	_, known := h.rules.Person(question.UserID(id)) // a private chat has the id of the person
	return h.chats[id] || id > 0 && known
}

// settleHomes takes in that the rules have changed, or where a chat is now.
func (b *Bridge) settleHomes() {
	h := &homes{rules: b.rules, chats: map[question.ChatID]bool{}}
	for _, id := range b.rules.Chats() {
		h.chats[id], h.chats[b.chats.current(id)] = true, true
	}
	b.homes.Store(h)
}

// concerns reports whether there is anything to remember of a chat: hermes is set up for
// it, shows something there, or knows something of it already. Of others nothing is kept,
// for anybody can add the bot to groups.
func (b *Bridge) concerns(id question.ChatID) bool {
	if _, ok := b.chats.known[id]; ok || b.homes.Load().has(id) {
		return true
	}
	for _, l := range b.threads.byID {
		if l.Card(id) >= 0 {
			return true
		}
	}
	return false
}

// withName gives a person the name that the rules file or their invitation has for them. What
// they call themselves at Telegram is only used where there is none.
func (b *Bridge) withName(u question.User) question.User {
	if p, ok := b.rules.Person(u.ID); ok && p.Name != "" {
		u.Name = p.Name
	}
	return u
}
