package pending

import (
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
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
		func() error { return each(c.Threads, func(t question.Thread) error { return putOpen(tx, t) }) },
		func() error { return each(c.Retired, func(t question.Thread) error { return putSettled(tx, t) }) },
		func() error { return each(c.Chats, func(chat chat.Chat) error { return putChat(tx, chat) }) },
		func() error {
			return each(c.Left, func(id chat.ID) error { return tx.Bucket(bucketChats).Delete(numberKey(id)) })
		},
		func() error { return each(c.Topics, func(t storage.Topic) error { return putTopic(tx, t) }) },
		func() error {
			return each(c.Dropped, func(t storage.Topic) error { return tx.Bucket(bucketTopics).Delete(topicKey(t)) })
		},
		func() error { return removePairings(tx, c.Unpaired) },
		func() error { return putPairings(tx, c.Paired) },
		func() error { return each(c.LinkCodes, func(l storage.LinkCode) error { return putLinkCode(tx, l) }) },
		func() error { return putDriving(tx, c) },
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
