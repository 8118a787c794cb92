package pending

import (
	"errors"
	"sync"

	"hermes/internal/chat"
	"hermes/pending/kv"
)

// postedIDs are the highest message ids that were sent to chats, as far as that is not on
// record: replies have no record of their own. They are stored with the next write, whatever
// that is for; a crash before it loses them.
type postedIDs struct {
	mu  sync.Mutex
	ids map[chat.ID]chat.MessageID
}

// Posted notes that a message was sent. It does not wait for the disk.
func (s *Store) Posted(chat chat.ID, message chat.MessageID) { s.posted.note(chat, message) }

func (p *postedIDs) note(chatID chat.ID, message chat.MessageID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ids == nil {
		p.ids = map[chat.ID]chat.MessageID{}
	}
	p.ids[chatID] = max(p.ids[chatID], message)
}

// takeAll returns the ids to be stored, and forgets them.
func (p *postedIDs) takeAll() map[chat.ID]chat.MessageID {
	p.mu.Lock()
	defer p.mu.Unlock()
	ids := p.ids
	p.ids = nil
	return ids
}

// writeWith stores the ids in the transaction of another write.
func (p *postedIDs) writeWith(write func(func(kv.Tx) error) error, fn func(kv.Tx) error) error {
	ids := p.takeAll()
	err := write(func(tx kv.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return putPosted(tx, ids)
	})
	if err != nil { // they are stored with the next one
		for chat, id := range ids {
			p.note(chat, id)
		}
	}
	return err
}

func putPosted(tx kv.Tx, ids map[chat.ID]chat.MessageID) error {
	for chat, id := range ids {
		if lastOnRecord(tx, chat) >= id {
			continue
		}
		if err := tx.Bucket(bucketPosted).Put(numberKey(chat), numberKey(id)); err != nil {
			return err
		}
	}
	return nil
}

// lastOnRecord is the highest message id of a chat that the file knows.
func lastOnRecord(tx kv.Tx, chatID chat.ID) chat.MessageID {
	reply := chat.MessageID(readNumber(tx.Bucket(bucketPosted).Get(numberKey(chatID))))
	return max(reply, lastIn(tx, bucketByMessage, chatID), lastIn(tx, bucketSaid, chatID))
}

// postedFits refuses what is no chat's highest message.
func postedFits(key, value []byte) error {
	if len(value) != 8 || readNumber(value) < 1 {
		return errors.New("it is no message id")
	}
	return ofLength(key, 8)
}
