package pending

import (
	"encoding/json"
	"fmt"

	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/pending/kv"
)

// Pairings returns all that is known of invitations, used ones included, and of
// those that they let in: guests by user id, groups by chat id.
func (s *Store) Pairings() (p storage.Pairings, err error) {
	err = s.view(func(tx kv.Tx) error {
		return inOrder(
			func() error {
				return collectRecords(s.database, tx, bucketPairings, &p.Invitations, func(key []byte, r invitationRecord) storage.Invitation {
					i := r.toInvitation()
					copy(i.Hash[:], key)
					return i
				})
			},
			func() error {
				return collectRecords(s.database, tx, bucketPeople, &p.Guests, func(_ []byte, r guestRecord) storage.Guest { return r.toGuest() })
			},
			func() error {
				return collectRecords(s.database, tx, bucketGroups, &p.Groups, func(_ []byte, r groupRecord) storage.GuestGroup { return r.toGroup() })
			},
		)
	})
	return p, err
}

func collectRecords[R, T any](d *database, tx kv.Tx, bucket string, into *[]T, from func([]byte, R) T) error {
	b := tx.Bucket(bucket)
	if b == nil {
		return nil // read from a file of before there were such
	}
	fit := func(_, _ []byte) error { return nil }
	if d.reading { // then what cannot be read was not set aside
		fit = recordChecks()[bucket]
	}
	return b.ForEach(func(key, value []byte) error {
		if fit(key, value) != nil {
			return nil // Unreadable tells of it
		}
		var r R
		if err := json.Unmarshal(value, &r); err != nil {
			return fmt.Errorf("a record of %s: %w", bucket, err)
		}
		*into = append(*into, from(key, r))
		return nil
	})
}

func putPairings(tx kv.Tx, p storage.Pairings) error {
	return inOrder(
		func() error {
			return each(p.Invitations, func(i storage.Invitation) error {
				return putJSON(tx, bucketPairings, i.Hash[:], invitationToRecord(i))
			})
		},
		func() error {
			return each(p.Guests, func(g storage.Guest) error {
				return putJSON(tx, bucketPeople, numberKey(g.User), guestToRecord(g))
			})
		},
		func() error {
			return each(p.Groups, func(g storage.GuestGroup) error {
				return putJSON(tx, bucketGroups, numberKey(g.Chat), groupToRecord(g))
			})
		},
	)
}

func putJSON(tx kv.Tx, bucket string, key []byte, record any) error {
	value, err := json.Marshal(record)
	if err != nil {
		return err
	}
	return tx.Bucket(bucket).Put(key, value)
}

func removePairings(tx kv.Tx, p storage.Pairings) error {
	return inOrder(
		func() error {
			return each(p.Invitations, func(i storage.Invitation) error { return tx.Bucket(bucketPairings).Delete(i.Hash[:]) })
		},
		func() error {
			return each(p.Guests, func(g storage.Guest) error { return tx.Bucket(bucketPeople).Delete(numberKey(g.User)) })
		},
		func() error {
			return each(p.Groups, func(g storage.GuestGroup) error {
				return tx.Bucket(bucketGroups).Delete(numberKey(g.Chat))
			})
		},
	)
}

func invitationToRecord(i storage.Invitation) invitationRecord {
	return invitationRecord{text(i.ID), i.Group, text(i.Name), convert(i.Roles, toText), utc(i.Made), utc(i.Until), utc(i.Used)}
}

func (r invitationRecord) toInvitation() storage.Invitation {
	return storage.Invitation{
		ID: question.ID(r.ID), Group: r.Group, Name: string(r.Name), Roles: convert(r.Roles, fromText),
		Made: r.Made, Until: r.Until, Used: r.Used,
	}
}

func guestToRecord(g storage.Guest) guestRecord {
	return guestRecord{g.User, text(g.Name), convert(g.Roles, toText), utc(g.Since), text(g.Invitation), g.Chat}
}

func (r guestRecord) toGuest() storage.Guest {
	return storage.Guest{
		User: r.User, Name: string(r.Name), Roles: convert(r.Roles, fromText),
		Since: r.Since, Invitation: question.ID(r.Invitation), Chat: r.Chat,
	}
}

func groupToRecord(g storage.GuestGroup) groupRecord {
	return groupRecord{g.Chat, g.By, utc(g.Since), text(g.Invitation)}
}

func (r groupRecord) toGroup() storage.GuestGroup {
	return storage.GuestGroup{
		Chat: r.Chat, By: r.By, Since: r.Since, Invitation: question.ID(r.Invitation),
	}
}
