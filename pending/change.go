package pending

import (
	"cmp"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
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
	return s.update(func(t *tx) error {
		applyChange(t, c)
		return nil
	})
}

func applyChange(t *tx, c storage.Change) {
	for _, thread := range c.Threads {
		putThread(t, bucketOpen, thread)
	}
	for _, thread := range c.Retired {
		putSettled(t, thread)
	}
	chats.put(t, c.Chats...)
	for _, id := range c.Left {
		t.delete(bucketChats, numberKey(id))
	}
	topics.put(t, c.Topics...)
	topics.remove(t, c.Dropped...)
	invitations.remove(t, c.Unpaired.Invitations...)
	guests.remove(t, c.Unpaired.Guests...)
	groups.remove(t, c.Unpaired.Groups...)
	invitations.put(t, c.Paired.Invitations...)
	guests.put(t, c.Paired.Guests...)
	groups.put(t, c.Paired.Groups...)
	for _, code := range c.LinkCodes {
		putLinkCode(t, code)
	}
	prompts.put(t, c.Prompts...)
	for _, id := range c.EndedPrompts {
		t.delete(bucketErrands, []byte(id))
	}
	turnWatches.put(t, c.TurnWatches...)
	for _, id := range c.EndedWatches {
		t.delete(bucketWatches, sessionKey(id))
	}
	chatSettings.put(t, c.ChatSettings...)
	messageRefs.put(t, c.MessageRefs...)
	toldTurns.put(t, c.ToldTurns...)
	for _, id := range c.Consumed {
		consume(t, id, time.Now())
	}
	appendEntries(t, c.Entries)
}

// Chats returns all that is known of chats, by ascending id.
func (s *Store) Chats() (list []chat.Chat, err error) {
	err = s.read(func(t *tx) { list = chats.all(t) })
	return list, err
}

// Topics returns all topics of sessions, by ascending chat and session.
func (s *Store) Topics() (list []storage.Topic, err error) {
	err = s.read(func(t *tx) { list = topics.all(t) })
	return list, err
}

// Pairings returns all that is known of invitations, used ones included, and of
// those that they let in: guests by user id, groups by chat id.
func (s *Store) Pairings() (p storage.Pairings, err error) {
	err = s.read(func(t *tx) {
		p = storage.Pairings{Invitations: invitations.all(t), Guests: guests.all(t), Groups: groups.all(t)}
	})
	return p, err
}

// SessionRecords returns the prompts that hermes owes to sessions, the sessions whose end somebody
// waits for, and the settings of the chats.
func (s *Store) SessionRecords() (d storage.SessionRecords, err error) {
	err = s.read(func(t *tx) {
		d = storage.SessionRecords{Prompts: prompts.all(t), TurnWatches: turnWatches.all(t), ChatSettings: chatSettings.all(t)}
	})
	slices.SortStableFunc(d.Prompts, func(a, b remote.QueuedPrompt) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Message, b.Message))
	})
	return d, err
}

// MessageRef returns the session that a message of a chat belongs to. One that cannot be read is not there.
func (s *Store) MessageRef(chat chat.ID, message chat.MessageID) (said remote.MessageRef, found bool, err error) {
	err = s.read(func(t *tx) { said, found, _ = messageRefs.get(t, messageKey(chat, message)) })
	return said, found, err
}

// ToldTurn returns the last turn of a session whose end was reported; empty if none is
// known.
func (s *Store) ToldTurn(id session.ID) (turn session.MessageID, err error) {
	err = s.read(func(t *tx) {
		if told, found, _ := toldTurns.get(t, sessionKey(id)); found {
			turn = told.Turn
		}
	})
	return turn, err
}
