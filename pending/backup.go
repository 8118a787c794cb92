package pending

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"

	"hermes/internal/question"
	"hermes/internal/retry"
	"hermes/pending/kv"
)

// Backup writes a copy of the database, as of one moment, while others go on reading and
// writing. It calls begin with the copy's size in bytes before the first of them. The
// file cannot reuse pages while this lasts, so a writer that may hang needs a limit.
//
// The copy of a database that is no file is such a file as well. It is made in the folder for temporary files first, and only its making keeps a transaction open.
func (s *Store) Backup(w io.Writer, begin func(size int64)) error {
	if s.path == "" {
		return s.backupAsFile(w, begin)
	}
	return s.view(func(tx kv.Tx) error { return sendFile(tx.(boltTx).Tx, w, begin) })
}

func sendFile(tx *bolt.Tx, w io.Writer, begin func(size int64)) error {
	begin(tx.Size())
	_, err := tx.WriteTo(w)
	return err
}

func (s *Store) backupAsFile(w io.Writer, begin func(size int64)) error {
	dir, err := os.MkdirTemp("", "hermes-backup-") // 0700
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file, err := bolt.Open(filepath.Join(dir, "hermes.db"), 0o600, &bolt.Options{NoSync: true})
	if err != nil {
		return err
	}
	defer file.Close()
	return inOrder(
		func() error { return file.Update(makeBuckets) },
		func() error {
			return s.view(func(tx kv.Tx) error { return copyBuckets(tx, boltDB{file}, bucketNames()) })
		},
		func() error { return file.View(func(tx *bolt.Tx) error { return sendFile(tx, w, begin) }) },
	)
}

// Copied is what a copy of the database holds.
type Copied struct {
	Schema int
	Bytes  int64     // of the pages that are its own: its file may be longer
	At     time.Time // the last time that is in it: of its journal or of Telegram; it is as old as this
	Open   int       // asks that had not ended
	Chain  Chain
	Broken *Broken // where its journal is not as hermes wrote it, as in the database that was copied; nil: it is whole
}

// CheckCopy opens a copy for reading, and reads all of it: every page, the records and the
// journal's chain. It fails as [Read] does. A broken journal is no failure: the copy is
// what the database was.
func CheckCopy(path string) (c Copied, err error) {
	s, err := Read(path)
	if err != nil {
		return c, err
	}
	err = errors.Join(c.read(s), s.Close())
	return c, err
}

func (c *Copied) read(s *Store) (err error) {
	if c.Schema, err = s.Schema(); err != nil {
		return err
	}
	if c.Chain, err = s.Check(); err != nil && !errors.As(err, &c.Broken) {
		return err
	}
	beat, err := s.LastBeat()
	c.At = retry.Later(beat, c.Chain.To)
	return errors.Join(err, s.view(func(tx kv.Tx) error {
		c.Bytes = tx.(boltTx).Size()
		var threads []question.Thread
		err := threadsIn(bucketOpen).appendTo(&threads, tx)
		for _, t := range threads {
			if !t.Settled() {
				c.Open++
			}
		}
		return err
	}))
}

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
