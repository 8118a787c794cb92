package pending

import (
	"errors"
	"fmt"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// damage is a file that cannot be trusted any more.
type damage struct {
	Reason string
	file   os.FileInfo // which one it was: another process may move it too
}

func (d *damage) Error() string { return "the database is damaged: " + d.Reason }

// asDamage returns a *damage if err means that the file is damaged, not that it cannot be
// reached.
func (o *opener) asDamage(err error, file *os.File) error {
	info, statErr := os.Stat(o.path)
	d := (*damage)(nil)
	switch {
	case errors.As(err, &d):
	case errors.Is(err, berrors.ErrInvalid), errors.Is(err, berrors.ErrChecksum), errors.Is(err, berrors.ErrVersionMismatch):
		d = &damage{Reason: err.Error()}
	case file != nil && statErr == nil && info.Size() > 0 && info.Size() < int64(2*os.Getpagesize()):
		d = &damage{Reason: "it is too short"} // cut off before bbolt's two first pages end
	default:
		return fmt.Errorf("open the database %s (HERMES_DB): %w", o.path, err)
	}
	d.file = info
	return d
}

// checkAll reads the whole file before anything relies on it. A fault must not leave
// this function: bbolt's own check runs on a goroutine where no fault can be
// caught, so it may only see a file in which every page can be walked.
func (o *opener) checkAll() error {
	err := o.readAllPages()
	if err == nil && !o.oneMeta { // else it is read alone, and was not mended
		err = o.file.View(firstFault)
	}
	if err == nil {
		return nil
	}
	return o.damageOf(err)
}

func (o *opener) damageOf(err error) error {
	info, _ := os.Stat(o.path)
	return &damage{Reason: err.Error(), file: info}
}

// mendMetaPage has bbolt write both meta pages anew where one is damaged, with two commits of
// nothing: each writes the older page. bbolt's check would take the damage for the whole
// file's. What the last commit changed is lost if its page was the damaged one; all
// before it is there, for a commit leaves every page that the one before it uses.
func (o *opener) mendMetaPage() error {
	if !o.oneMeta || o.reading {
		return nil
	}
	if err := o.readAllPages(); err != nil {
		return o.damageOf(err)
	}
	nothing := func(*bolt.Tx) error { return nil }
	if err := inOrder(func() error { return o.file.Update(nothing) }, func() error { return o.file.Update(nothing) }); err != nil {
		return fmt.Errorf("write to the database %s (HERMES_DB; is there space on its disk?): %w", o.path, err)
	}
	o.oneMeta = false
	o.found.Mended = "one of the two first pages of the database " + o.path + " was damaged; the other one is good and was used, so at most the very last change is lost"
	return nil
}

func (o *opener) readAllPages() error {
	info, err := os.Stat(o.path)
	if err != nil {
		return err
	}
	return viewSafely(o.file, func(tx *bolt.Tx) error {
		if tx.Size() > info.Size() {
			return fmt.Errorf("it ends at byte %d of %d", info.Size(), tx.Size())
		}
		return tx.ForEach(func(_ []byte, b *bolt.Bucket) error { return touchBucket(b) })
	})
}

// touchBucket reads the ends of every key and value, and looks every key up, which reads
// the keys of the pages above it: so it meets every page, and every place that a
// page points to.
func touchBucket(b *bolt.Bucket) error {
	sum := byte(0)
	return b.ForEach(func(k, v []byte) error {
		for _, part := range [][]byte{k, v} {
			if len(part) > 0 {
				sum ^= part[0] ^ part[len(part)-1]
			}
		}
		if v == nil || b.Get(k) == nil {
			return fmt.Errorf("a key is not where it belongs (%x)", sum)
		}
		return nil
	})
}

// firstFault returns the first thing that bbolt finds wrong, after all were found: its
// goroutine ends only then.
func firstFault(tx *bolt.Tx) error {
	var first error
	for err := range tx.Check() {
		if first == nil {
			first = err
		}
	}
	return first
}

// moveAside gives the damaged file another name, for a person to look at. If the
// file there was another one after all, a process that did the same was quicker,
// and its new file gets its name back.
func (o *opener) moveAside(d *damage) error {
	name := o.path + ".corrupt-" + time.Now().UTC().Format("20060102T150405.000Z")
	if err := os.Rename(o.path, name); err != nil {
		return fmt.Errorf("move the damaged database aside (%s): %w", d.Reason, err)
	}
	if d.file == nil || !isAt(d.file, name) {
		_ = os.Rename(name, o.path)
		return o.lockedError()
	}
	if err := keepPrivate(name); err != nil {
		return err
	}
	o.found.Recovered = fmt.Sprintf("the database %s is damaged (%s): it was moved to %s and an empty one was begun", o.path, d.Reason, name)
	return nil
}
