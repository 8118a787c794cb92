package bridge

import (
	"slices"

	"hermes/internal/chat"
	"hermes/internal/storage"
)

// mergedPairings takes away what is gone or comes anew, and adds what comes.
func mergedPairings(p, paired, gone storage.Pairings) storage.Pairings {
	return storage.Pairings{
		Invitations: replaceByKey(p.Invitations, paired.Invitations, gone.Invitations, func(i storage.Invitation) storage.CodeHash { return i.Hash }),
		Guests:      replaceByKey(p.Guests, paired.Guests, gone.Guests, func(g storage.Guest) chat.UserID { return g.User }),
		Groups:      replaceByKey(p.Groups, paired.Groups, gone.Groups, func(g storage.GuestGroup) chat.ID { return g.Chat }),
	}
}

func replaceByKey[T any, K comparable](list, fresh, gone []T, key func(T) K) []T {
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

// mergePairings takes in what the store has by now of who was let in. It is in force only
// after applyPairings.
func (ac *access) mergePairings(comes, gone storage.Pairings) {
	ac.paired = mergedPairings(ac.paired, comes, gone)
}

// someoneAnswersWithout reports whether anybody may answer anything when these are gone.
func (ac *access) someoneAnswersWithout(gone storage.Pairings) bool {
	return len(peopleWhoAnswer(ac.base.WithPaired(mergedPairings(ac.paired, storage.Pairings{}, gone), ac.chats.current))) > 0
}
