package pending

import (
	"bytes"
	"cmp"
	"encoding/json"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/retry"
	"hermes/internal/session"
	"hermes/internal/sorting"
	"hermes/internal/storage"
	"hermes/pending/kv"
)

// SessionRecords returns the prompts that hermes owes to sessions, the sessions whose end somebody
// waits for, and the settings of the chats.
func (s *Store) SessionRecords() (d storage.SessionRecords, err error) {
	err = s.view(func(tx kv.Tx) error {
		return inOrder(
			func() error {
				return collectRecords(s.database, tx, bucketErrands, &d.Prompts, func(_ []byte, r queuedPromptRecord) remote.QueuedPrompt { return r.toQueuedPrompt() })
			},
			func() error {
				return collectRecords(s.database, tx, bucketWatches, &d.TurnWatches, func(_ []byte, r watchRecord) remote.TurnWatch { return r.toWatch() })
			},
			func() error {
				return collectRecords(s.database, tx, bucketSeats, &d.ChatSettings, func(_ []byte, r chatSettingsRecord) remote.ChatSettings { return r.toChatSettings() })
			},
		)
	})
	sorting.By(d.Prompts, func(a, b remote.QueuedPrompt) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Message, b.Message))
	})
	return d, err
}

// MessageRef returns the session that a message of a chat belongs to.
func (s *Store) MessageRef(chat chat.ID, message chat.MessageID) (said remote.MessageRef, found bool, err error) {
	err = s.view(func(tx kv.Tx) error {
		value := tx.Bucket(bucketSaid).Get(messageKey(chat, message))
		if value == nil {
			return nil
		}
		var r saidRecord
		if err := json.Unmarshal(value, &r); err != nil {
			return err
		}
		found = true
		said = remote.MessageRef{
			Chat: chat, Message: message, Session: session.ID(r.Session), Origin: r.Origin.toOrigin(), Title: string(r.Title), At: r.At,
			Answers: question.ID(r.Answers), Wizard: r.Wizard.toWizard(), Asked: r.Asked, Draft: r.Draft.toDraft(),
		}
		return nil
	})
	return said, found, err
}

// ToldTurn returns the last turn of a session whose end was reported; empty if none is
// known.
func (s *Store) ToldTurn(id session.ID) (turn session.MessageID, err error) {
	err = s.view(func(tx kv.Tx) error {
		value := tx.Bucket(bucketTold).Get(sessionKey(id))
		if value == nil {
			return nil
		}
		var r toldRecord
		err := json.Unmarshal(value, &r)
		turn = r.toTold().Turn
		return err
	})
	return turn, err
}

// putDriving stores what a change says of driving sessions.
func putDriving(tx kv.Tx, c storage.Change) error {
	return inOrder(
		func() error {
			return each(c.Prompts, func(e remote.QueuedPrompt) error {
				return putJSON(tx, bucketErrands, []byte(e.ID), queuedPromptToRecord(e))
			})
		},
		func() error {
			return each(c.EndedPrompts, func(id question.ID) error { return tx.Bucket(bucketErrands).Delete([]byte(id)) })
		},
		func() error {
			return each(c.TurnWatches, func(w remote.TurnWatch) error {
				return putJSON(tx, bucketWatches, sessionKey(w.Session), watchToRecord(w))
			})
		},
		func() error {
			return each(c.EndedWatches, func(id session.ID) error { return tx.Bucket(bucketWatches).Delete(sessionKey(id)) })
		},
		func() error {
			return each(c.ChatSettings, func(s remote.ChatSettings) error {
				return putJSON(tx, bucketSeats, numberKey(s.Chat), chatSettingsToRecord(s))
			})
		},
		func() error {
			return each(c.MessageRefs, func(s remote.MessageRef) error {
				return putJSON(tx, bucketSaid, messageKey(s.Chat, s.Message), saidToRecord(s))
			})
		},
		func() error {
			return each(c.ToldTurns, func(t remote.ToldTurn) error { return putJSON(tx, bucketTold, sessionKey(t.Session), toldToRecord(t)) })
		},
	)
}

// sessionKey bounds what OpenCode calls a session, as requestKey does for requests.
func sessionKey(id session.ID) []byte { return requestKey(question.RequestID(id)) }

// PruneSaid forgets which session messages belong to that were written before this
// time, the last reported turns that were stored before it, and the turns that began before
// it and whose end was never heard of, and returns how many of all.
func (s *Store) PruneSaid(before time.Time) (n int, err error) {
	for _, bucket := range []string{bucketSaid, bucketTold, bucketWatches} {
		gone, err := s.pruneDated(bucket, before)
		if n += gone; err != nil {
			return n, err
		}
	}
	return n, nil
}

// pruneDated removes the records of a bucket whose "at" or "since" is before this time.
func (d *database) pruneDated(bucket string, before time.Time) (int, error) {
	var old [][]byte
	err := d.view(func(tx kv.Tx) error {
		return tx.Bucket(bucket).ForEach(func(key, value []byte) error {
			var r struct {
				At    time.Time `json:"at"`
				Since time.Time `json:"since"` // of a watch; zero: not known
			}
			err := json.Unmarshal(value, &r)
			if at := retry.Later(r.At, r.Since); err == nil && at.Before(before) && (bucket != bucketWatches || !at.IsZero()) {
				old = append(old, bytes.Clone(key))
			}
			return err
		})
	})
	if err != nil {
		return 0, err
	}
	return inBatches(d, old, func(tx kv.Tx, key []byte) error { return tx.Bucket(bucket).Delete(key) })
}

// lastIn is the highest message id of a chat in a bucket whose keys are chat and
// message; 0 if there is none.
func lastIn(tx kv.Tx, bucket string, chat chat.ID) (last chat.MessageID) {
	c := tx.Bucket(bucket).Cursor()
	key, _ := c.Seek(messageKey(chat, maxPosted))
	if !bytes.Equal(key, messageKey(chat, maxPosted)) {
		key, _ = c.Prev() // Seek stopped behind the chat, or at the bucket's end
	}
	if of, message, ok := readMessageKey(key); ok && of == chat {
		last = message
	}
	return last
}
