package pending

import (
	"fmt"
	"slices"

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

// inBatches removes the records of the keys, in transactions that are short enough for
// other writers. It returns how many it removed.
func (d *database) inBatches(keys [][]byte, remove func(kv.Tx, []byte) error) (done int, err error) {
	for batch := range slices.Chunk(keys, pruneBatch) {
		err := d.update(func(tx kv.Tx) error {
			return each(batch, func(key []byte) error { return remove(tx, key) })
		})
		if err != nil {
			return done, err
		}
		done += len(batch)
	}
	return done, nil
}
