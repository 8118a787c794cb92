package pending

import (
	"bytes"
	"iter"

	bolt "go.etcd.io/bbolt"

	"hermes/pending/kv"
)

// boltDB is a bbolt file behind the seam of package kv. What is about the file itself asks bbolt.
type boltDB struct{ *bolt.DB }

func (d boltDB) View(fn func(kv.Tx) error) error {
	return d.DB.View(func(tx *bolt.Tx) error { return fn(boltTx{tx}) })
}

func (d boltDB) Update(fn func(kv.Tx) error) error {
	return d.DB.Update(func(tx *bolt.Tx) error { return fn(boltTx{tx}) })
}

type boltTx struct{ *bolt.Tx }

func (t boltTx) Bucket(name string) kv.Bucket {
	if b := t.Tx.Bucket([]byte(name)); b != nil {
		return boltBucket{b}
	}
	return nil
}

type boltBucket struct{ *bolt.Bucket }

// Put has an empty value for none: for bbolt a key of none is not there until its transaction ends.
func (b boltBucket) Put(key, value []byte) error {
	if value == nil {
		value = []byte{}
	}
	return b.Bucket.Put(key, value)
}

func (b boltBucket) From(key []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		c := b.Cursor()
		for key, value := c.Seek(key); key != nil && yield(key, value); key, value = c.Next() {
		}
	}
}

// Backward has two faults of bbolt's cursor to avoid (bbolt 1.5, cursor.go): where a change has emptied a page it stops there, and where it has emptied all of
// them it looks for the last key for ever.
func (b boltBucket) Backward() iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		c := b.Cursor()
		first, _ := b.Cursor().First()
		if first == nil {
			return
		}
		for key, value := c.Last(); ; key, value = c.Prev() {
			if key != nil && !yield(key, value) || bytes.Equal(key, first) {
				return
			}
		}
	}
}
