package pending

import (
	"errors"
	"sync"

	bolt "go.etcd.io/bbolt"

	"hermes/internal/question"
)

// posted are the highest message ids that were sent to chats, as far as that is not on
// record: replies have no record of their own. They are stored with the next write, whatever
// that is for; a crash before it loses them.
type posted struct {
	mu  sync.Mutex
	ids map[question.ChatID]question.PostedID
}

// Posted notes that a message was sent. It does not wait for the disk.
func (s *Store) Posted(chat question.ChatID, message question.PostedID) {
	s.posted.mu.Lock()
	defer s.posted.mu.Unlock()
	if s.posted.ids == nil {
		s.posted.ids = map[question.ChatID]question.PostedID{}
	}
	s.posted.ids[chat] = max(s.posted.ids[chat], message)
}

// take returns what is to be stored.
func (p *posted) take() map[question.ChatID]question.PostedID {
	p.mu.Lock()
	defer p.mu.Unlock()
	ids := p.ids
	p.ids = nil
	return ids
}

// with adds what was posted to a write.
func (s *Store) with(write func(func(*bolt.Tx) error) error, fn func(*bolt.Tx) error) error {
	ids := s.posted.take()
	err := write(func(tx *bolt.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return putPosted(tx, ids)
	})
	if err != nil { // they are stored with the next one
		for chat, id := range ids {
			s.Posted(chat, id)
		}
	}
	return err
}

func putPosted(tx *bolt.Tx, ids map[question.ChatID]question.PostedID) error {
	for chat, id := range ids {
		if lastOnRecord(tx, chat) >= id {
			continue
		}
		if err := tx.Bucket([]byte(bucketPosted)).Put(number(int64(chat)), number(int64(id))); err != nil {
			return err
		}
	}
	return nil
}

// lastOnRecord is the highest message id of a chat that the file knows.
func lastOnRecord(tx *bolt.Tx, chat question.ChatID) question.PostedID {
	reply := question.PostedID(readNumber(tx.Bucket([]byte(bucketPosted)).Get(number(int64(chat)))))
	return max(reply, lastIn(tx, bucketByMessage, chat), lastIn(tx, bucketSaid, chat))
}

// postedFits refuses what is no chat's highest message.
func postedFits(key, value []byte) error {
	if len(value) != 8 || readNumber(value) < 1 {
		return errors.New("it is no message id")
	}
	return ofLength(key, 8)
}
