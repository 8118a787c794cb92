package pending

import (
	"context"
	"errors"
	"fmt"
	"os"

	bolt "go.etcd.io/bbolt"
)

var (
	// ErrLocked means that another process holds the file.
	ErrLocked = errors.New("another hermes uses this database")
	// ErrNewer means that the file was written by a hermes that knows more than
	// this one. Nothing in it was changed.
	ErrNewer = errors.New("a newer hermes wrote this database")
	// ErrForeign means that the file is some other program's, or no file.
	// Nothing in it was changed.
	ErrForeign = errors.New("not a hermes database")
	// ErrLink means that the path is a symbolic link. What it leads to was not
	// looked at.
	ErrLink = errors.New("a symbolic link")
	// ErrDamaged means that the file is no sound database. [Open] would move it aside.
	ErrDamaged = errors.New("the database is damaged")
)

// Options change how a Store works. The zero value is right for real use.
type Options struct {
	// NoSync leaves out every wait for the disk. It is for tests alone: a power
	// cut may then lose or damage everything.
	NoSync bool
	// Write makes every write, by calling what it is given. A test can let one
	// fail there, before or after it was made. nil: just call it.
	Write func(write func() error) error
}

// Store is the open database. All its methods may be called concurrently. When the
// database does not take a change, that and every later one fails, and [Store.Failed] is closed:
// the process must end, for only the next one can tell what is stored. Nothing of the change is,
// with one exception that no program can rule out: when the disk fails in the last step of
// a write, the change may be there all the same.
type Store struct {
	*database
	opened Opened
}

// Open opens the file, and makes it, and its directory, where they do not exist.
// The file is readable and writable for its owner alone (0600), also if it was
// not before; a directory that is made is 0700, one that exists is left as it is.
//
// Open waits one second for another process to release the file; then it fails
// with [ErrLocked]. A path that is a link, and a file that is not hermes', are refused
// with [ErrLink] and [ErrForeign], and left as they are; a directory above may be a
// link. Open reads and checks the whole file. A damaged one is moved
// aside, to its name with .corrupt- and the time, and an empty one takes its
// place: see [Opened]. Where one of bbolt's two meta pages is damaged, the other
// one is used. A record that cannot be read stays as it is, and is left out. Threads that are settled are read when they are asked for. A file that has become far larger than what is in
// it is rewritten.
func Open(path string, o Options) (*Store, error) {
	path, err := prepare(path)
	if err != nil {
		return nil, err
	}
	opening := &opener{database: newDatabase(path, nil, o)}
	err = opening.open()
	if d := (*damage)(nil); errors.As(err, &d) {
		if err := opening.moveAside(d); err != nil {
			return nil, err
		}
		err = opening.open()
	}
	if err != nil {
		return nil, err
	}
	s := &Store{opening.database, opening.found}
	if err := keepPrivate(path); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	SyncDir(path)
	return s, nil
}

// Read opens a file that no hermes uses, for reading alone: methods that write
// fail, and neither the file nor what is beside it is changed. Others may read it
// at the same time. Methods leave out what [Open] would set aside. It fails with [ErrLocked] while a hermes has the file, with
// fs.ErrNotExist where there is none, and with [ErrDamaged], [ErrNewer], [ErrForeign] or
// [ErrLink] where there is nothing to be read.
func Read(path string) (*Store, error) {
	o := &opener{database: newDatabase(path, nil, Options{})}
	o.reading = true
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

// AtOpen says what Open found and did.
func (s *Store) AtOpen() Opened { return s.opened }

// Failed is closed when the database did not take a change. Err says why.
func (s *Store) Failed() <-chan struct{} { return s.failed.Done() }

// Err is why the database takes no changes; nil: it does.
func (s *Store) Err() error { return context.Cause(s.failed) }

// Close waits for calls under way and closes the database, which releases its file. Calls after it fail.
func (s *Store) Close() error {
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("close %s: %w", s.name(), err)
	}
	return nil
}

// inOrder runs steps until one fails.
func inOrder(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
