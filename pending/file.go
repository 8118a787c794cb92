package pending

import (
	"bytes"

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

func (b boltBucket) Cursor() kv.Cursor {
	if b.Writable() {
		return &changeCursor{Cursor: b.Bucket.Cursor()}
	}
	return b.Bucket.Cursor()
}

// changeCursor goes over what a change has left. Where the change has emptied a page bbolt's own cursor stops there on its way back, and where it has
// emptied all of them it looks for the last key for ever (bbolt 1.5, cursor.go).
type changeCursor struct {
	*bolt.Cursor
	at []byte // the key that it is at, or that was sought
}

func (c *changeCursor) First() (key, value []byte) { return c.moved(c.Cursor.First()) }
func (c *changeCursor) Next() (key, value []byte)  { return c.moved(c.Cursor.Next()) }

func (c *changeCursor) moved(key, value []byte) ([]byte, []byte) {
	c.at = key
	return key, value
}

func (c *changeCursor) Last() (key, value []byte) {
	if key, _ := c.Cursor.First(); key == nil {
		return nil, nil
	}
	return c.moved(c.Cursor.Last())
}

func (c *changeCursor) Seek(key []byte) (foundKey, value []byte) {
	c.at = key
	if foundKey, value = c.Cursor.Seek(key); foundKey != nil {
		c.at = foundKey
	}
	return foundKey, value
}

func (c *changeCursor) Prev() (key, value []byte) {
	key, value = c.Cursor.Prev()
	if key == nil {
		first, _ := c.Bucket().Cursor().First()
		for key == nil && first != nil && bytes.Compare(first, c.at) < 0 {
			key, value = c.Cursor.Prev()
		}
	}
	return c.moved(key, value)
}
