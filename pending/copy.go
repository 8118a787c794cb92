package pending

import "hermes/pending/kv"

// A change that copies has at most so many records and, but for the last of them, so many bytes: no engine has trouble with it.
const (
	copyRecords = 500
	copyBytes   = 1 << 20
)

// copier writes what it gets into another database, in changes of several records.
type copier struct {
	to    kv.DB
	batch []copied
	bytes int
}

type copied struct {
	bucket     string
	key, value []byte
}

// copyBuckets copies the records and sequences of buckets. The other database has none of them yet.
func copyBuckets(from kv.Tx, to kv.DB, buckets []string) error {
	c := &copier{to: to}
	for _, name := range buckets {
		err := from.Bucket(name).ForEach(func(key, value []byte) error { return c.add(copied{name, key, value}) })
		if err != nil {
			return err
		}
	}
	return inOrder(c.flush, func() error {
		return to.Update(func(tx kv.Tx) error {
			return each(buckets, func(name string) error { return tx.Bucket(name).SetSequence(from.Bucket(name).Sequence()) })
		})
	})
}

func (c *copier) add(r copied) error {
	c.batch, c.bytes = append(c.batch, r), c.bytes+len(r.key)+len(r.value)
	if len(c.batch) < copyRecords && c.bytes < copyBytes {
		return nil
	}
	return c.flush()
}

func (c *copier) flush() error {
	if len(c.batch) == 0 {
		return nil
	}
	err := c.to.Update(func(tx kv.Tx) error {
		return each(c.batch, func(r copied) error { return tx.Bucket(r.bucket).Put(r.key, r.value) })
	})
	c.batch, c.bytes = c.batch[:0], 0
	return err
}
