package pending

import (
	"errors"
	"fmt"
	"os"

	bolt "go.etcd.io/bbolt"
)

// ErrDamaged means that the file is no sound database. [Open] would move it aside.
var ErrDamaged = errors.New("the database is damaged")

// Read opens a file that no hermes uses, for reading alone: methods that write
// fail, and neither the file nor what is beside it is changed. Others may read it
// at the same time. Methods leave out what [Open] would set aside. It fails with [ErrLocked] while a hermes has the file, with
// fs.ErrNotExist where there is none, and with [ErrDamaged], [ErrNewer], [ErrForeign] or
// [ErrLink] where there is nothing to be read.
func Read(path string) (*Store, error) {
	o := &opener{database: &database{path: path, reading: true}}
	err := inOrder(func() error { return Usable(path) }, func() error { return notEmpty(path) }, o.attach)
	if err == nil {
		err = inOrder(o.checkAll, func() error { return o.file.View(checkForReading) })
	}
	if err == nil {
		return &Store{database: o.database}, nil
	}
	if o.file != nil {
		o.detach()
	}
	if d := (*damage)(nil); errors.As(err, &d) {
		err = fmt.Errorf("%w: %s", ErrDamaged, d.Reason)
	}
	return nil, err
}

// notEmpty refuses an empty file, which [Open] would make a database of.
func notEmpty(path string) error {
	if info, err := os.Stat(path); err != nil || info.Size() > 0 {
		return err
	}
	return fmt.Errorf("%s: %w: it holds nothing", path, ErrForeign)
}

// checkForReading accepts a file from before a bucket was added: what reads one that may
// be missing looks for it.
func checkForReading(tx *bolt.Tx) error {
	if _, err := checkBuckets(tx); err != nil {
		return err
	}
	if tx.Bucket([]byte(bucketJournal)) == nil {
		return fmt.Errorf("%w: it holds nothing", ErrForeign)
	}
	return nil
}
