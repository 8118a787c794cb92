package pending

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	berrors "go.etcd.io/bbolt/errors"

	"hermes/pending/kv"
)

// database is what is below a Store: its transactions, and how they fail.
type database struct {
	db      kv.DB
	path    string // of its file; empty: it is none
	options Options
	reading bool // nothing is written

	failed context.Context // done with the first write that failed, which is its cause
	fail   context.CancelCauseFunc
}

func newDatabase(path string, db kv.DB, o Options) *database {
	d := &database{path: path, db: db, options: o}
	d.failed, d.fail = context.WithCancelCause(context.Background())
	return d
}

// update changes the database. Once it did not take a change it takes none: what was stored last is what the next process begins with.
func (d *database) update(fn func(kv.Tx) error) error {
	if err := context.Cause(d.failed); err != nil {
		return err
	}
	var unfit error // what is wrong with the change itself
	write := func() error {
		return d.db.Update(func(tx kv.Tx) error {
			unfit = fn(tx)
			return unfit
		})
	}
	if hook := d.options.Write; hook != nil {
		inner := write
		write = func() error { return hook(inner) }
	}
	err := write()
	switch {
	case err == nil:
		return nil
	case unfit != nil && errors.Is(err, unfit), errors.Is(err, berrors.ErrDatabaseNotOpen): // or after Close
		return fmt.Errorf("write to %s: %w", d.name(), err)
	}
	if file, ok := errors.AsType[*fs.PathError](err); ok && file.Path == d.path {
		err = file.Err // the path is said once
	}
	d.fail(fmt.Errorf("cannot write %s: %w", d.name(), err))
	return context.Cause(d.failed)
}

func (d *database) view(fn func(kv.Tx) error) error {
	if err := d.db.View(fn); err != nil {
		return fmt.Errorf("read %s: %w", d.name(), err)
	}
	return nil
}

// name is what errors call it.
func (d *database) name() string {
	if d.path == "" {
		return "the database of HERMES_STORE"
	}
	return "the database " + d.path + " (HERMES_DB)"
}

// inBatches does something with each of a list, in transactions that are short enough for other writers, also where each read is a round trip. It
// returns with how many that was done for good: the first ones.
func inBatches[T any](d *database, list []T, do func(kv.Tx, T) error) (done int, err error) {
	for done < len(list) {
		n := 0
		err := d.update(func(tx kv.Tx) (err error) {
			n, err = oneBatch(tx, list[done:], do)
			return err
		})
		if err != nil {
			return done, err
		}
		done += n
	}
	return done, nil
}

// These bound how long a batch keeps other writers waiting: how many it has, and the time after which it takes no more.
const (
	batchMost = 500
	batchTime = 200 * time.Millisecond
)

// oneBatch does it for the first ones of a list, and for one at least.
func oneBatch[T any](tx kv.Tx, list []T, do func(kv.Tx, T) error) (n int, err error) {
	for began := time.Now(); n < min(len(list), batchMost) && (n == 0 || time.Since(began) < batchTime); n++ {
		if err := do(tx, list[n]); err != nil {
			return n, err
		}
	}
	return n, nil
}
