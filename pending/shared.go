package pending

import (
	"errors"
	"fmt"
	"io/fs"

	"hermes/pending/kv"
)

// ErrUnfinished means that [RestoreShared] was cut off in the middle. What is there is part of a copy.
var ErrUnfinished = errors.New("a restore of it was cut off")

// metaRestoring is there while [RestoreShared] replaces the records.
const metaRestoring = "restoring"

// OpenShared is [Open] for a database that is no file, in which the caller alone writes. It checks the schema of its records, and reads them as Open does. [Store.Close] closes db; where
// OpenShared fails, with [ErrNewer], [ErrForeign] or [ErrUnfinished] among others, db stays open and nothing in it was changed.
func OpenShared(db kv.DB, o Options) (*Store, error) {
	s := &Store{database: newDatabase("", db, o)}
	err := inOrder(s.beginShared, func() (err error) {
		s.opened.Skipped, err = s.findSkipped()
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// ReadShared is [Read] for a database that is no file: nothing is written, and others may write meanwhile. It fails with fs.ErrNotExist where no hermes has
// stored anything yet, and else as [OpenShared] does.
func ReadShared(db kv.DB) (*Store, error) {
	s := &Store{database: newDatabase("", db, Options{})}
	s.reading = true
	err := s.view(func(tx kv.Tx) error {
		_, err := checkShared(tx)
		if err == nil && isEmpty(tx) {
			err = fmt.Errorf("no hermes has stored anything yet: %w", fs.ErrNotExist)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Proven fails where a change could not be stored now. Nothing is: a shared database is asked whether this hermes still acts.
func (s *Store) Proven() error { return s.update(func(kv.Tx) error { return nil }) }

// beginShared makes an empty database one of hermes.
func (d *database) beginShared() error {
	own := false
	look := func(tx kv.Tx) (err error) {
		own, err = checkShared(tx)
		return err
	}
	if err := d.view(look); err != nil || own {
		return err
	}
	return d.update(func(tx kv.Tx) error {
		if err := look(tx); err != nil {
			return err
		}
		return putSchema(tx.Bucket(bucketMeta))
	})
}

// checkShared reports whether the schema is this hermes' own. An empty database has none.
func checkShared(tx kv.Tx) (own bool, err error) {
	if isEmpty(tx) {
		return false, nil
	}
	meta := tx.Bucket(bucketMeta)
	if meta.Get([]byte(metaRestoring)) != nil {
		return false, fmt.Errorf("%w: run hermes restore again, with the same backup", ErrUnfinished)
	}
	const another = "set HERMES_STORE to another database"
	return remedy{
		foreign: another + "; this one was not touched",
		newer:   another + " and restore a backup from before its first start into that (hermes restore)",
	}.checkSchema(meta, "")
}

func isEmpty(tx kv.Tx) bool {
	for _, name := range bucketNames() {
		if key, _ := tx.Bucket(name).Cursor().First(); key != nil {
			return false
		}
	}
	return true
}
