package bridge

import (
	"slices"

	"hermes/internal/question"
)

// repair stores a change of the pairings, and from then on it counts.
func (b *Bridge) repair(c question.Change) error {
	if err := b.records.commit(c); err != nil {
		return err
	}
	b.access.paired = merge(b.access.paired, c.Paired, c.Unpaired)
	b.access.applyPairings()
	return nil
}

// merge takes away what is gone or comes anew, and adds what comes.
func merge(p, paired, gone question.Pairings) question.Pairings {
	return question.Pairings{
		Invitations: replaced(p.Invitations, paired.Invitations, gone.Invitations, func(i question.Invitation) question.CodeHash { return i.Hash }),
		Guests:      replaced(p.Guests, paired.Guests, gone.Guests, func(g question.Guest) question.UserID { return g.User }),
		Groups:      replaced(p.Groups, paired.Groups, gone.Groups, func(g question.GuestGroup) question.ChatID { return g.Chat }),
	}
}

func replaced[T any, K comparable](list, fresh, gone []T, key func(T) K) []T {
	out := map[K]bool{}
	for _, one := range slices.Concat(fresh, gone) {
		out[key(one)] = true
	}
	list = slices.DeleteFunc(slices.Clone(list), func(one T) bool { return out[key(one)] })
	return append(list, fresh...)
}

// applyPairings makes the rules that are in force: those of the configuration, with the
// guests. What the configuration names stays as it is there. What is open follows them.
func (ac *access) applyPairings() {
	ac.rules = ac.base.WithPaired(ac.paired, ac.chats.current)
	ac.changed()
}
