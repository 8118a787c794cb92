package pending

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"

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
	return s.view(func(t *tx) error { return sendFile(t.Tx.(boltTx).Tx, w, begin) })
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
			return s.view(func(t *tx) error { return copyBuckets(t, boltDB{file}, bucketNames()) })
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
	return errors.Join(err, s.read(func(t *tx) {
		c.Bytes = t.Tx.(boltTx).Size()
		for _, thread := range openThreads.all(t) {
			if !thread.Settled() {
				c.Open++
			}
		}
	}))
}

// A change that copies has at most so many records and, but for the last of them, so many bytes: no engine has trouble with it.
const (
	copyRecords = 500
	copyBytes   = 1 << 20
)

// copyBuckets copies the records of buckets into another database, which has none of them yet, in changes of several records.
func copyBuckets(from *tx, to kv.DB, buckets []string) error {
	type record struct {
		bucket     string
		key, value []byte
	}
	var batch []record
	size := 0
	flush := func() error {
		err := to.Update(func(k kv.Tx) error {
			t := &tx{Tx: k}
			for _, r := range batch {
				t.put(r.bucket, r.key, r.value)
			}
			return t.err
		})
		batch, size = batch[:0], 0
		return err
	}
	for _, bucket := range buckets {
		for key, value := range from.all(bucket) {
			batch, size = append(batch, record{bucket, key, value}), size+len(key)+len(value)
			if len(batch) < copyRecords && size < copyBytes {
				continue
			}
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}
