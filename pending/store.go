package pending

import (
	"errors"
	"fmt"
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

// Store is the open database. All its methods may be called concurrently. An error
// from a method that writes means that nothing of the change is stored, with one
// exception that no program can rule out: when the disk fails in the last step of
// a write, the change may be there all the same. Trying again is safe: at worst
// the journal has an entry twice.
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
// one is used. A record that cannot be read is set aside, and one
// that was and now can be is put back. A file that has become far larger than what is in
// it is rewritten.
func Open(path string, o Options) (*Store, error) {
	path, err := prepare(path)
	if err != nil {
		return nil, err
	}
	opening := &opener{database: &database{path: path, options: o}}
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

// AtOpen says what Open found and did.
func (s *Store) AtOpen() Opened { return s.opened }

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
