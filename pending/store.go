package pending

import (
	"errors"
	"fmt"

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

// Store is the open file. All its methods may be called concurrently. An error
// from a method that writes means that nothing of the change is stored, with one
// exception that no program can rule out: when the disk fails in the last step of
// a write, the change may be there all the same. Trying again is safe: at worst
// the journal has an entry twice.
type Store struct {
	db        *bolt.DB
	path      string
	options   Options
	recovered string
	mended    string
	setAside  []Unreadable // by Open
	restored  []Unreadable // by Open
	oneMeta   bool         // of bbolt's two meta pages one alone was good
	reading   bool         // nothing is written
	posted    posted
}

// Open opens the file, and makes it, and its directory, where they do not exist.
// The file is readable and writable for its owner alone (0600), also if it was
// not before; a directory that is made is 0700, one that exists is left as it is.
//
// Open waits one second for another process to let go of the file; then it fails
// with [ErrLocked]. A path that is a link, and a file that is not hermes', are refused
// with [ErrLink] and [ErrForeign], and left as they are; a directory above may be a
// link. Open reads and checks the whole file. A damaged one is moved
// aside, to its name with .corrupt- and the time, and an empty one takes its
// place: see [Store.Recovered]. Where one of bbolt's two meta pages is damaged, the other
// one is used: see [Store.Mended]. A record that cannot be read is set aside, and one
// that was and now can be is put back: see [Store.SetAsideAtOpen]. A file that has become far larger than what is in
// it is rewritten.
func Open(path string, o Options) (*Store, error) {
	path, err := prepare(path)
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, options: o}
	err = s.open()
	if d := (*damage)(nil); errors.As(err, &d) {
		if err := s.moveAside(d); err != nil {
			return nil, err
		}
		err = s.open()
	}
	if err != nil {
		return nil, err
	}
	if err := keepPrivate(path); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	syncDir(path)
	return s, nil
}

// open is one try. Only a file that is sound and of a known schema stays open.
func (s *Store) open() error {
	if err := s.attach(); err != nil {
		return err
	}
	for _, step := range []func() error{s.mend, s.sound, s.schema, s.sift, s.compact} {
		if err := step(); err != nil {
			s.detach()
			return err
		}
	}
	return nil
}

// Recovered says what was done to a damaged file when the Store was opened; empty
// if the file was sound. It is a sentence for the log.
func (s *Store) Recovered() string { return s.recovered }

// Mended says which damage of the file was mended when the Store was opened; empty:
// there was none. It is a sentence for the log.
func (s *Store) Mended() string { return s.mended }

// Close waits for calls under way and lets go of the file. Calls after it fail.
func (s *Store) Close() error {
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("close the database %s: %w", s.path, err)
	}
	return nil
}

func (s *Store) update(fn func(*bolt.Tx) error) error {
	write := func() error { return s.with(s.db.Update, fn) }
	if hook := s.options.Write; hook != nil {
		inner := write
		write = func() error { return hook(inner) }
	}
	if err := write(); err != nil {
		return fmt.Errorf("write to the database %s (HERMES_DB; is there space on its disk?): %w", s.path, err)
	}
	return nil
}

func (s *Store) view(fn func(*bolt.Tx) error) error {
	if err := s.db.View(fn); err != nil {
		return fmt.Errorf("read the database %s: %w", s.path, err)
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
