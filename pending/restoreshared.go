package pending

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"hermes/pending/kv"
)

// RestoreShared is [Restore] for a database that is no file, in which the caller alone writes. What the database held is kept first, as a backup in the
// file aside, which must not exist yet; where it held nothing there is none.
//
// A crash, or an error behind the first change, leaves it unfinished: [OpenShared] refuses it with [ErrUnfinished] until a restore comes to its end.
func RestoreShared(from string, db kv.DB, aside string) (r Restored, err error) {
	if r.Copied, err = CheckCopy(from); err != nil {
		return r, fmt.Errorf("%s: %w", from, err)
	}
	dir, err := os.MkdirTemp("", "hermes-restore-") // 0700
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	next := filepath.Join(dir, "hermes.db")
	err = inOrder(
		func() error { return copyFile(from, next, r.Bytes) },
		func() error { return r.disown(next) },
		func() error { return r.keepShared(db, aside) },
		func() error { return replaceShared(next, db) },
	)
	return r, err
}

// keepShared writes what the database holds to the file aside, and reads that again. What a restore left that was cut off is not worth it.
func (r *Restored) keepShared(db kv.DB, aside string) error {
	s, err := ReadShared(db)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrUnfinished):
		return nil
	case err != nil:
		return err
	}
	file, err := os.OpenFile(aside, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("keep the database that is there: %w", err)
	}
	err = errors.Join(s.Backup(file, func(int64) {}), file.Sync(), file.Close())
	if err == nil {
		_, err = CheckCopy(aside)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("keep the database that is there: %w", err), os.Remove(aside))
	}
	SyncDir(aside)
	r.Aside = aside
	return nil
}

// replaceShared has the records of the file in the place of those that are there.
func replaceShared(path string, db kv.DB) error {
	d := newDatabase("", db, Options{})
	s, err := Read(path)
	if err != nil {
		return err
	}
	defer s.Close()
	records := slices.DeleteFunc(bucketNames(), func(name string) bool { return name == bucketMeta })
	return s.view(func(from kv.Tx) error {
		return inOrder(
			// From here on no hermes takes what is there for whole.
			func() error {
				return d.update(func(tx kv.Tx) error { return tx.Bucket(bucketMeta).Put([]byte(metaRestoring), timeText(time.Now())) })
			},
			func() error { return each(records, d.empty) },
			func() error { return copyBuckets(from, db, records) },
			// The commit point: from here on it is the copy.
			func() error { return d.update(func(tx kv.Tx) error { return replaceBucket(from, tx, bucketMeta) }) },
		)
	})
}

// empty removes all records of a bucket.
func (d *database) empty(bucket string) error {
	var keys [][]byte
	err := d.view(func(tx kv.Tx) error {
		keys = keysOf(tx, bucket)
		return nil
	})
	if err == nil {
		_, err = inBatches(d, keys, func(tx kv.Tx, key []byte) error { return tx.Bucket(bucket).Delete(key) })
	}
	return err
}

// replaceBucket copies a small bucket in one change.
func replaceBucket(from, to kv.Tx, name string) error {
	if err := each(keysOf(to, name), to.Bucket(name).Delete); err != nil {
		return err
	}
	return from.Bucket(name).ForEach(to.Bucket(name).Put)
}
