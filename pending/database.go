package pending

import (
	"fmt"
	"time"

	"hermes/pending/kv"
)

// database is what is below a Store: its transactions, and how they fail.
type database struct {
	db      kv.DB
	path    string // of its file; empty: it is none
	options Options
	reading bool // nothing is written
	posted  postedIDs
}

func (d *database) update(fn func(kv.Tx) error) error {
	write := func() error { return d.posted.writeWith(d.db.Update, fn) }
	if hook := d.options.Write; hook != nil {
		inner := write
		write = func() error { return hook(inner) }
	}
	if err := write(); err != nil {
		return fmt.Errorf("write to %s%s: %w", d.name(), d.hint(), err)
	}
	return nil
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
	return "the database " + d.path
}

// hint is where to look when a write fails.
func (d *database) hint() string {
	if d.path == "" {
		return ""
	}
	return " (HERMES_DB; is there space on its disk?)"
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
