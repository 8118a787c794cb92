package pending

import (
	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/pending/kv"
)

// Find returns the thread that the key names, whether settled or not, until it
// is pruned. A thread that is not there is no error; one that was set aside is
// question.ErrUnreadable.
func (s *Store) Find(k storage.Key) (t question.Thread, found bool, err error) {
	err = s.view(func(tx kv.Tx) error {
		id := threadIDOf(tx, k)
		t, found, err = getThread(tx, id)
		if err == nil && k.Request != "" && k.Origin != (session.Origin{}) && !(found && t.FromProcess(k.Origin)) {
			id = question.ID(tx.Bucket(bucketByRequest).Get(processKey(k.Origin, k.Request)))
			t, found, err = getThread(tx, id)
		}
		if err == nil && !found && wasThread(tx, id) {
			err = question.ErrUnreadable
		}
		return err
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

// LastMessage returns the highest message id in the chat that belongs to a thread
// that is still stored, or to a session, or is a reply; 0 if there is none.
func (s *Store) LastMessage(chat chat.ID) (last chat.MessageID, err error) {
	err = s.view(func(tx kv.Tx) error {
		last = lastOnRecord(tx, chat)
		return nil
	})
	return last, err
}

// Known reports whether a message belongs to a thread that is stored, or to a session.
func (s *Store) Known(chat chat.ID, message chat.MessageID) (known bool, err error) {
	err = s.view(func(tx kv.Tx) error {
		key := messageKey(chat, message)
		known = tx.Bucket(bucketByMessage).Get(key) != nil || tx.Bucket(bucketSaid).Get(key) != nil
		return nil
	})
	return known, err
}

// Ended returns the settled threads that ended last, at most n, the last one first.
func (s *Store) Ended(n int) ([]question.Thread, error) {
	var list []question.Thread
	err := s.view(func(tx kv.Tx) error {
		c := tx.Bucket(bucketEnded).Cursor()
		for key, _ := c.Last(); key != nil && len(list) < n; key, _ = c.Prev() {
			t, found, err := getThread(tx, endedID(key))
			if err != nil {
				return err
			}
			if found {
				list = append(list, t)
			}
		}
		return nil
	})
	return list, err
}
