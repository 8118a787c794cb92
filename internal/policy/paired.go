package policy

import (
	"slices"

	"hermes/internal/chat"
	"hermes/internal/storage"
)

// WithPaired adds the people whom invitations let in, and their chats. People and chats of
// the ruleset stay as they are. current returns what a chat became, if Telegram replaced it.
func (s *Ruleset) WithPaired(p storage.Pairings, current func(chat.ID) chat.ID) *Ruleset {
	var people []Person
	var targets []Target
	configured := s.Targets()
	add := func(chat chat.ID) {
		known := func(t Target) bool { return current(t.Chat) == current(chat) }
		if chat != 0 && !slices.ContainsFunc(configured, known) {
			targets = append(targets, Target{Chat: chat})
		}
	}
	for _, g := range p.Guests {
		people = append(people, Person{ID: g.User, Name: g.Name, Roles: g.Roles})
		add(g.Chat)
	}
	for _, g := range p.Groups {
		add(g.Chat)
	}
	return s.With(people...).AndDefault(targets...)
}
