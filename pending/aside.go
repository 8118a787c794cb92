package pending

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"hermes/internal/chat"
	"hermes/pending/kv"
)

// What is kept of unreadable updates for a person to look at: of so many of them, and of
// each so many bytes, from its beginning. Strangers can send them.
const (
	asideMost   = 100
	asideBytes  = 64 << 10
	asideReason = 1 << 10 // of the reason, which may quote the update
)

// Aside is an update that could not be read.
type Aside struct {
	chat.Update     // Raw is cut after 64 KiB
	Size        int // of the whole of it, in bytes
	Reason      string
	At          time.Time
}

type asideRecord struct {
	ID     int64     `json:"id"`
	Raw    text      `json:"raw"`
	Reason text      `json:"reason"`
	At     time.Time `json:"at"`
	Size   int       `json:"size,omitzero"` // of the whole, where raw is cut
}

// SetAside takes an update that cannot be read out of the inbox, so that it does
// not stop the others. The first 64 KiB of the last 100 are kept, and how long they were.
func (s *Store) SetAside(id chat.UpdateID, reason string) error {
	return s.update(func(tx kv.Tx) error {
		now := utc(time.Now())
		raw := tx.Bucket(bucketInbox).Get(numberKey(id))
		r := asideRecord{ID: int64(id), Raw: text(raw), Reason: text(reason[:min(len(reason), asideReason)]), At: now}
		if len(raw) > asideBytes {
			r.Raw, r.Size = text(raw[:asideBytes]), len(raw)
		}
		if err := putAside(tx.Bucket(bucketAside), r); err != nil {
			return err
		}
		return consume(tx, id, now)
	})
}

func putAside(b kv.Bucket, r asideRecord) error {
	count, err := b.NextSequence()
	if err != nil {
		return err
	}
	value, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if count > asideMost {
		if err := b.Delete(numberKey(count - asideMost)); err != nil {
			return err
		}
	}
	return b.Put(numberKey(count), value)
}

// Asides returns the unreadable updates that are kept, the oldest first.
func (s *Store) Asides() ([]Aside, error) {
	var asides []Aside
	err := s.view(func(tx kv.Tx) error {
		return tx.Bucket(bucketAside).ForEach(func(_, value []byte) error {
			var r asideRecord
			if err := json.Unmarshal(value, &r); err != nil {
				return fmt.Errorf("the record of an update that was set aside: %w", err)
			}
			u := chat.Update{ID: chat.UpdateID(r.ID), Raw: json.RawMessage(r.Raw)}
			size := cmp.Or(r.Size, len(u.Raw))
			asides = append(asides, Aside{Update: u, Size: size, Reason: string(r.Reason), At: r.At})
			return nil
		})
	})
	return asides, err
}
