package pending

import (
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/pending/kv"
)

// Commit stores the change, all of it or nothing, in one transaction. An empty
// change costs nothing.
func (s *Store) Commit(c storage.Change) error {
	if c.Empty() {
		return nil
	}
	// The commit point. A crash before it leaves the updates in the inbox and the
	// records as they were: the next start handles the updates again. A crash
	// behind it leaves everything: nobody has been told, and the next start does
	// what the records owe. The inbox can never disagree with the records.
	return s.update(func(tx kv.Tx) error { return applyChange(tx, c) })
}

func applyChange(tx kv.Tx, c storage.Change) error {
	return inOrder(
		func() error {
			return each(c.Threads, func(t question.Thread) error { return putThread(tx, bucketOpen, t) })
		},
		func() error { return each(c.Retired, func(t question.Thread) error { return putSettled(tx, t) }) },
		func() error { return chats.put(tx, c.Chats...) },
		func() error {
			return each(c.Left, func(id chat.ID) error { return tx.Bucket(bucketChats).Delete(numberKey(id)) })
		},
		func() error { return topics.put(tx, c.Topics...) },
		func() error { return topics.remove(tx, c.Dropped...) },
		func() error { return invitations.remove(tx, c.Unpaired.Invitations...) },
		func() error { return guests.remove(tx, c.Unpaired.Guests...) },
		func() error { return groups.remove(tx, c.Unpaired.Groups...) },
		func() error { return invitations.put(tx, c.Paired.Invitations...) },
		func() error { return guests.put(tx, c.Paired.Guests...) },
		func() error { return groups.put(tx, c.Paired.Groups...) },
		func() error { return each(c.LinkCodes, func(l storage.LinkCode) error { return putLinkCode(tx, l) }) },
		func() error { return prompts.put(tx, c.Prompts...) },
		func() error {
			return each(c.EndedPrompts, func(id question.ID) error { return tx.Bucket(bucketErrands).Delete([]byte(id)) })
		},
		func() error { return turnWatches.put(tx, c.TurnWatches...) },
		func() error {
			return each(c.EndedWatches, func(id session.ID) error { return tx.Bucket(bucketWatches).Delete(sessionKey(id)) })
		},
		func() error { return chatSettings.put(tx, c.ChatSettings...) },
		func() error { return messageRefs.put(tx, c.MessageRefs...) },
		func() error { return toldTurns.put(tx, c.ToldTurns...) },
		func() error {
			return each(c.Consumed, func(id chat.UpdateID) error { return consume(tx, id, time.Now()) })
		},
		func() error { return appendEntries(tx, c.Entries) },
	)
}

func each[T any](list []T, do func(T) error) error {
	for _, one := range list {
		if err := do(one); err != nil {
			return err
		}
	}
	return nil
}
