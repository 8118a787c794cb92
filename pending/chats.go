package pending

import (
	"encoding/json"
	"fmt"
	"time"

	"hermes/internal/chat"
	"hermes/pending/kv"
)

// Chats returns all that is known of chats, by ascending id.
func (s *Store) Chats() ([]chat.Chat, error) {
	var chats []chat.Chat
	err := s.view(func(tx kv.Tx) error {
		return tx.Bucket(bucketChats).ForEach(func(_, value []byte) error {
			var r chatRecord
			if err := json.Unmarshal(value, &r); err != nil {
				return fmt.Errorf("the record of a chat: %w", err)
			}
			chats = append(chats, r.toChat())
			return nil
		})
	})
	return chats, err
}

func putChat(tx kv.Tx, chat chat.Chat) error {
	value, err := json.Marshal(chatToRecord(chat))
	if err != nil {
		return err
	}
	return tx.Bucket(bucketChats).Put(numberKey(chat.ID), value)
}

// Beat keeps the time of the last good poll of Telegram, so that the next start
// can tell how long hermes was offline. Each call waits for the disk.
func (s *Store) Beat(at time.Time) error {
	return s.update(func(tx kv.Tx) error {
		return tx.Bucket(bucketMeta).Put([]byte(metaBeat), timeText(at))
	})
}

// LastBeat returns what Beat kept last, in UTC; the zero time if it never did.
func (s *Store) LastBeat() (at time.Time, err error) {
	err = s.view(func(tx kv.Tx) error {
		value := tx.Bucket(bucketMeta).Get([]byte(metaBeat))
		if value == nil {
			return nil
		}
		at, err = time.Parse(time.RFC3339Nano, string(value))
		return err
	})
	return at, err
}
