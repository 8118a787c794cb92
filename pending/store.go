package pending

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"time"

	berrors "go.etcd.io/bbolt/errors"

	"hermes/pending/kv"
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
	db      kv.DB
	path    string // of its file; empty: it is none
	options Options
	opened  Opened

	failed context.Context // done with the first write that failed, which is its cause
	fail   context.CancelCauseFunc
}

func newStore(path string, db kv.DB, o Options) *Store {
	s := &Store{path: path, db: db, options: o}
	s.failed, s.fail = context.WithCancelCause(context.Background())
	return s
}

// Opened is what was found and done when the database was opened.
type Opened struct {
	Recovered string    // what was done to a file that was damaged, a sentence for the log; empty: nothing
	Skipped   []Skipped // records that cannot be read
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

// name is what errors call it.
func (s *Store) name() string {
	if s.path == "" {
		return "the database of HERMES_STORE"
	}
	return "the database " + s.path + " (HERMES_DB)"
}

// update changes the database. Once it did not take a change it takes none: what was stored last is what the next process begins with.
func (s *Store) update(fn func(*tx) error) error {
	if err := context.Cause(s.failed); err != nil {
		return err
	}
	var unfit error // what is wrong with the change itself
	write := func() error {
		return s.db.Update(func(k kv.Tx) error {
			t := &tx{Tx: k}
			if unfit = fn(t); unfit == nil {
				unfit = t.err
			}
			return unfit
		})
	}
	if hook := s.options.Write; hook != nil {
		inner := write
		write = func() error { return hook(inner) }
	}
	err := write()
	switch {
	case err == nil:
		return nil
	case unfit != nil && errors.Is(err, unfit), errors.Is(err, berrors.ErrDatabaseNotOpen): // or after Close
		return fmt.Errorf("write to %s: %w", s.name(), err)
	}
	if file, ok := errors.AsType[*fs.PathError](err); ok && file.Path == s.path {
		err = file.Err // the path is said once
	}
	s.fail(fmt.Errorf("cannot write %s: %w", s.name(), err))
	return context.Cause(s.failed)
}

func (s *Store) view(fn func(*tx) error) error {
	err := s.db.View(func(k kv.Tx) error { return fn(&tx{Tx: k}) })
	if err != nil {
		return fmt.Errorf("read %s: %w", s.name(), err)
	}
	return nil
}

// read is a view whose function cannot fail by itself.
func (s *Store) read(fn func(*tx)) error {
	return s.view(func(t *tx) error {
		fn(t)
		return nil
	})
}

// tx is a transaction whose first error stays, and with which it fails: whoever writes need not ask after each step.
type tx struct {
	kv.Tx
	err error
}

func (t *tx) fail(err error) { t.err = cmp.Or(t.err, err) }

func (t *tx) get(bucket string, key []byte) []byte {
	if b := t.Bucket(bucket); b != nil {
		return b.Get(key)
	}
	return nil // read from a file of before there was such a bucket
}

func (t *tx) put(bucket string, key, value []byte) {
	if t.err == nil {
		t.fail(t.Bucket(bucket).Put(key, value))
	}
}

func (t *tx) delete(bucket string, key []byte) {
	if t.err == nil {
		t.fail(t.Bucket(bucket).Delete(key))
	}
}

// all goes over a bucket. While it does, nobody may write to it.
func (t *tx) all(bucket string) iter.Seq2[[]byte, []byte] {
	if b := t.Bucket(bucket); b != nil {
		return b.From(nil)
	}
	return func(func(key, value []byte) bool) {}
}

// lastNumber is the number in the last key of a bucket; 0: it has none.
func (t *tx) lastNumber(bucket string) int64 {
	for key := range t.Bucket(bucket).Backward() {
		return readNumber(key)
	}
	return 0
}

// These bound how long a batch keeps other writers waiting: how many it has, and the time after which it takes no more.
const (
	batchMost = 500
	batchTime = 200 * time.Millisecond
)

// inBatches does something with each of these keys, in transactions that are short enough for other writers, also where each read is a round trip. It
// returns with how many that was done for good: the first ones.
func (s *Store) inBatches(keys [][]byte, do func(*tx, []byte)) (done int, err error) {
	for done < len(keys) {
		n := 0
		err := s.update(func(t *tx) error {
			n = 0
			for began := time.Now(); n < min(len(keys)-done, batchMost) && (n == 0 || time.Since(began) < batchTime); n++ {
				do(t, keys[done+n])
			}
			return nil
		})
		if err != nil {
			return done, err
		}
		done += n
	}
	return done, nil
}
