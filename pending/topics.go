package pending

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/pending/kv"
)

// Topics returns all topics of sessions, by ascending chat and session.
func (s *Store) Topics() (topics []storage.Topic, err error) {
	err = s.view(func(tx kv.Tx) error {
		return collectRecords(s.database, tx, bucketTopics, &topics, func(_ []byte, r topicRecord) storage.Topic { return r.toTopic() })
	})
	return topics, err
}

func putTopic(tx kv.Tx, t storage.Topic) error {
	return putJSON(tx, bucketTopics, topicKey(t), topicToRecord(t))
}

// topicKey guards against a session id of absurd length as requestKey does.
func topicKey(t storage.Topic) []byte {
	return append(numberKey(t.Chat), requestKey(question.RequestID(t.Root))...)
}

// pruneTopics removes the topics that were closed before this time.
func (d *database) pruneTopics(before time.Time) error {
	var old [][]byte
	err := d.view(func(tx kv.Tx) error {
		return tx.Bucket(bucketTopics).ForEach(func(key, value []byte) error {
			var r topicRecord
			if err := json.Unmarshal(value, &r); err != nil {
				return fmt.Errorf("a record of %s: %w", bucketTopics, err)
			}
			if !r.Closed.IsZero() && r.Closed.Before(before) {
				old = append(old, bytes.Clone(key))
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	_, err = inBatches(d, old, func(tx kv.Tx, key []byte) error { return tx.Bucket(bucketTopics).Delete(key) })
	return err
}

func topicToRecord(t storage.Topic) topicRecord {
	return topicRecord{
		Chat: t.Chat, Root: text(t.Root), ID: t.ID, Name: text(t.Name), Project: text(t.Project), Title: text(t.Title),
		Doubts: t.Doubts, Deleted: t.Deleted, Over: t.Over, Closed: utc(t.Closed), Used: utc(t.Used), Origin: originToRecord(t.Origin),
	}
}

func (r topicRecord) toTopic() storage.Topic {
	return storage.Topic{
		Chat: r.Chat, Root: session.ID(r.Root), ID: r.ID, Name: string(r.Name),
		Project: string(r.Project), Title: string(r.Title),
		Doubts: r.Doubts, Deleted: r.Deleted, Over: r.Over, Closed: r.Closed, Used: r.Used, Origin: r.Origin.toOrigin(),
	}
}
