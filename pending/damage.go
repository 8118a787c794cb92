package pending

import (
	"encoding/binary"
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
	err := inOrder(o.readAllPages, o.check)
	if err == nil {
		return nil
	}
	info, _ := os.Stat(o.path)
	return &damage{Reason: err.Error(), file: info}
}

// check has bbolt check the file. It takes a damaged first page for the whole file's damage, though it has two of them and needs one, so
// that one is written anew before: each of two commits of nothing writes the older one. Whatever the last commit changed is lost if its page was
// the damaged one. For reading alone nothing is written, and the pages were read all the same.
func (o *opener) check() error {
	whole := o.hasBothMetaPages()
	if !whole && o.reading {
		return nil
	}
	nothing := func() error { return o.file.Update(func(*bolt.Tx) error { return nil }) }
	if !whole {
		if err := inOrder(nothing, nothing); err != nil {
			return err
		}
	}
	return o.file.View(firstFault)
}

// hasBothMetaPages reports whether bbolt's two first pages say that they are these.
func (o *opener) hasBothMetaPages() bool {
	file, err := os.Open(o.path)
	if err != nil {
		return false
	}
	defer file.Close()
	for page := range uint64(2) {
		head := make([]byte, pageHeader)
		_, err := file.ReadAt(head, int64(page)*int64(o.file.Info().PageSize))
		if err != nil || binary.LittleEndian.Uint64(head) != page || binary.LittleEndian.Uint16(head[8:]) != metaPage {
			return false
		}
	}
	return true
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
	o.opened.Recovered = fmt.Sprintf("the database %s is damaged (%s): it was moved to %s and an empty one was begun", o.path, d.Reason, name)
	return nil
}
