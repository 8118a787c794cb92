package policy

import (
	"slices"

	"hermes/internal/question"
)

// WithPaired adds those whom invitations have let in, and their chats. What is in the
// book already stays as it is there. current follows a chat that became another one.
func (b *Book) WithPaired(p question.Pairings, current func(question.ChatID) question.ChatID) *Book {
	var people []Person
	var targets []Target
	configured := b.Targets()
	add := func(chat question.ChatID) {
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
	return b.With(people...).AndDefault(targets...)
}
