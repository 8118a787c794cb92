package pending

import (
	"bytes"
	"time"

	"hermes/internal/chat"
)

// Fresh returns those of the updates that are new: neither in the inbox nor taken out
// of it in the last two days. It writes nothing. The order of ids means nothing here.
func (s *Store) Fresh(updates []chat.Update) (fresh []chat.Update, err error) {
	err = s.read(func(t *tx) {
		for _, u := range updates {
			if !isKnown(t, u.ID) {
				fresh = append(fresh, u)
			}
		}
	})
	return fresh, err
}

// Put takes updates into the inbox and returns those that are new. Once Put has
// returned, the updates may be confirmed to Telegram. When none is new, because
// all were consumed already, nothing is written.
func (s *Store) Put(updates []chat.Update) (fresh []chat.Update, err error) {
	if fresh, err = s.Fresh(updates); err != nil || len(fresh) == 0 {
		return nil, err
	}
	// The commit point of a poll. A crash before it: Telegram was not told that
	// the updates arrived and sends them again. A crash behind it: they are here,
	// and those that Telegram sends again are known.
	err = s.update(func(t *tx) error {
		fresh = nil
		for _, u := range updates {
			if !isKnown(t, u.ID) {
				t.put(bucketInbox, numberKey(u.ID), bytes.Clone(u.Raw))
				fresh = append(fresh, u)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return fresh, nil
}

func isKnown(t *tx, id chat.UpdateID) bool {
	key := numberKey(id)
	return t.get(bucketInbox, key) != nil || isMarked(t.get(bucketSeen, key), time.Now())
}

// isMarked reports whether this is the mark of an update that was consumed so lately
// that Telegram may send it again. A later update of the same id is another one, whether
// the mark was pruned by then or not.
func isMarked(mark []byte, now time.Time) bool {
	if mark == nil {
		return false
	}
	at, err := markedAt(mark)
	return err != nil || now.Sub(at) <= keepMarks
}

func markedAt(mark []byte) (time.Time, error) { return time.Parse(time.RFC3339Nano, string(mark)) }

// Inbox returns what was put in and neither consumed by a [Change] nor set aside,
// by ascending id.
func (s *Store) Inbox() (updates []chat.Update, err error) {
	err = s.read(func(t *tx) {
		for key, raw := range t.all(bucketInbox) {
			updates = append(updates, chat.Update{ID: chat.UpdateID(readNumber(key)), Raw: bytes.Clone(raw)})
		}
	})
	return updates, err
}

// consume takes an update out of the inbox for good. One that never was in it is
// marked all the same.
func consume(t *tx, id chat.UpdateID, now time.Time) {
	t.delete(bucketInbox, numberKey(id))
	t.put(bucketSeen, numberKey(id), timeText(now))
}

// What is kept of unreadable updates for a person to look at: of so many of them, and of
// each so many bytes, from its beginning. Strangers can send them.
const (
	asideMost   = 100
	asideBytes  = 64 << 10
	asideReason = 1 << 10 // of the reason, which may quote the update
)

// asideRecord is an update that could not be read.
type asideRecord struct {
	ID     chat.UpdateID `json:"id"`
	Raw    string        `json:"raw"`
	Reason string        `json:"reason"`
	At     time.Time     `json:"at"`
	Size   int           `json:"size,omitzero"` // of the whole, where raw is cut
}

// SetAside takes an update that cannot be read out of the inbox, so that it does
// not stop the others. The first 64 KiB of the last 100 are kept, and how long they were.
func (s *Store) SetAside(id chat.UpdateID, reason string) error {
	return s.update(func(t *tx) error {
		now := utc(time.Now())
		raw := t.get(bucketInbox, numberKey(id))
		r := asideRecord{ID: id, Raw: string(raw), Reason: reason[:min(len(reason), asideReason)], At: now}
		if len(raw) > asideBytes {
			r.Raw, r.Size = string(raw[:asideBytes]), len(raw)
		}
		value, err := encode(r)
		if err != nil {
			return err
		}
		count := t.lastNumber(bucketAside) + 1
		t.put(bucketAside, numberKey(count), value)
		t.delete(bucketAside, numberKey(count-asideMost))
		consume(t, id, now)
		return nil
	})
}
