package pending

import (
	"cmp"
	"slices"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/pending/kv"
)

// Find returns the thread that the key names, whether settled or not, until it
// is pruned. A thread that is not there, or cannot be read, is no error.
func (s *Store) Find(k storage.Key) (t question.Thread, found bool, err error) {
	err = s.view(func(tx kv.Tx) error {
		id := threadIDOf(tx, k)
		t, found = getThread(tx, id)
		if k.Request != "" && k.Origin != (session.Origin{}) && !(found && t.FromProcess(k.Origin)) {
			id = question.ID(tx.Bucket(bucketByRequest).Get(processKey(k.Origin, k.Request)))
			t, found = getThread(tx, id)
		}
		return nil
	})
	return t, found, err
}

// threadIDOf returns the ID that the key stands for; empty if there is none.
func threadIDOf(tx kv.Tx, k storage.Key) question.ID {
	switch {
	case k.ID != "":
		return k.ID
	case k.Request != "":
		return question.ID(tx.Bucket(bucketByRequest).Get(requestKey(k.Request)))
	}
	return question.ID(tx.Bucket(bucketByMessage).Get(messageKey(k.Chat, k.Message)))
}

// Ended returns the settled asks that ended last, at most n, the last one first. Who asks to be let in asks nothing.
func (s *Store) Ended(n int) ([]question.Thread, error) {
	var list []question.Thread
	err := s.view(func(tx kv.Tx) error {
		c := tx.Bucket(bucketEnded).Cursor()
		for key, _ := c.Last(); key != nil && len(list) < n; key, _ = c.Prev() {
			t, found := getThread(tx, endedID(key))
			if found && t.Request.Admission == nil {
				list = append(list, t)
			}
		}
		return nil
	})
	return list, err
}

// Chats returns all that is known of chats, by ascending id.
func (s *Store) Chats() (list []chat.Chat, err error) {
	err = s.view(func(tx kv.Tx) error { return chats.appendTo(&list, tx) })
	return list, err
}

// Topics returns all topics of sessions, by ascending chat and session.
func (s *Store) Topics() (list []storage.Topic, err error) {
	err = s.view(func(tx kv.Tx) error { return topics.appendTo(&list, tx) })
	return list, err
}

// Pairings returns all that is known of invitations, used ones included, and of
// those that they let in: guests by user id, groups by chat id.
func (s *Store) Pairings() (p storage.Pairings, err error) {
	err = s.view(func(tx kv.Tx) error {
		return inOrder(
			func() error { return invitations.appendTo(&p.Invitations, tx) },
			func() error { return guests.appendTo(&p.Guests, tx) },
			func() error { return groups.appendTo(&p.Groups, tx) },
		)
	})
	return p, err
}

// SessionRecords returns the prompts that hermes owes to sessions, the sessions whose end somebody
// waits for, and the settings of the chats.
func (s *Store) SessionRecords() (d storage.SessionRecords, err error) {
	err = s.view(func(tx kv.Tx) error {
		return inOrder(
			func() error { return prompts.appendTo(&d.Prompts, tx) },
			func() error { return turnWatches.appendTo(&d.TurnWatches, tx) },
			func() error { return chatSettings.appendTo(&d.ChatSettings, tx) },
		)
	})
	slices.SortStableFunc(d.Prompts, func(a, b remote.QueuedPrompt) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Message, b.Message))
	})
	return d, err
}

// MessageRef returns the session that a message of a chat belongs to. One that cannot be read is not there.
func (s *Store) MessageRef(chat chat.ID, message chat.MessageID) (said remote.MessageRef, found bool, err error) {
	err = s.view(func(tx kv.Tx) error {
		said, found, _ = messageRefs.get(tx, messageKey(chat, message))
		return nil
	})
	return said, found, err
}

// ToldTurn returns the last turn of a session whose end was reported; empty if none is
// known.
func (s *Store) ToldTurn(id session.ID) (turn session.MessageID, err error) {
	err = s.view(func(tx kv.Tx) error {
		if told, found, _ := toldTurns.get(tx, sessionKey(id)); found {
			turn = told.Turn
		}
		return nil
	})
	return turn, err
}
