package rig

import (
	"errors"
	"testing"

	bolt "go.etcd.io/bbolt"

	"hermes/internal/config"
)

// CorruptRecords writes records behind hermes' back, into buckets that are there: name of the
// bucket, key and value of each.
func CorruptRecords(t *testing.T, c config.Config, records ...[3]string) {
	t.Helper()
	db, err := bolt.Open(c.DB, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) (err error) {
		for _, r := range records {
			err = errors.Join(err, tx.Bucket([]byte(r[0])).Put([]byte(r[1]), []byte(r[2])))
		}
		return err
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// UnreadableRecords are records, by bucket, that no hermes can read.
func UnreadableRecords() [][3]string {
	return [][3]string{
		{"open", "gone", `{"id":"gone","request":{"protocol":"v99"}}`},
		{"settled", "past", `{"id":`},
		{"chats", "\x80\x00\x00\x00\x00\x00\x00\x07", `{"id":"seven"}`},
		{"people", "\x80\x00\x00\x00\x00\x00\x00\x42", `{"user":67}`},
		{"seats", "\x80\x00\x00\x00\x00\x00\x00\x07", "\x00\x00"},
		{"seen", "\x80\x00\x00\x00\x00\x00\x00\x07", "never"},
	}
}
