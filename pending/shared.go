package pending

import (
	"errors"
	"fmt"
	"io/fs"

	"hermes/pending/kv"
)

// ErrUnfinished means that [RestoreShared] was cut off in the middle. What is there is part of a copy.
var ErrUnfinished = errors.New("a restore of it was cut off")

// OpenShared is [Open] for a database that is no file, in which the caller alone writes. It checks the schema of its records, and reads them as Open does. [Store.Close] closes db; where
// OpenShared fails, with [ErrNewer], [ErrForeign] or [ErrUnfinished] among others, db stays open and nothing in it was changed.
func OpenShared(db kv.DB, o Options) (*Store, error) {
	s := newStore("", db, o)
	err := s.beginShared()
	if err == nil {
		s.opened.Skipped, err = s.findSkipped()
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// ReadShared is [Read] for a database that is no file: nothing is written, and others may write meanwhile. It fails with fs.ErrNotExist where no hermes has
// stored anything yet, and else as [OpenShared] does.
func ReadShared(db kv.DB) (*Store, error) {
	s := newStore("", db, Options{})
	err := s.view(func(t *tx) error {
		_, err := checkShared(t)
		if err == nil && isEmpty(t) {
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
func (s *Store) Proven() error { return s.update(func(*tx) error { return nil }) }

// beginShared makes an empty database one of hermes.
func (s *Store) beginShared() error {
	own := false
	look := func(t *tx) (err error) {
		own, err = checkShared(t)
		return err
	}
	if err := s.view(look); err != nil || own {
		return err
	}
	return s.update(func(t *tx) error {
		err := look(t)
		if err == nil {
			putSchema(t)
		}
		return err
	})
}

// checkShared reports whether the schema is this hermes' own. An empty database has none.
func checkShared(t *tx) (own bool, err error) {
	if isEmpty(t) {
		return false, nil
	}
	if t.meta(metaRestoring) != "" {
		return false, fmt.Errorf("%w: run hermes restore again, with the same backup", ErrUnfinished)
	}
	const another = "set HERMES_STORE to another database"
	return remedy{
		foreign: another + "; this one was not touched",
		newer:   another + " and restore a backup from before its first start into that (hermes restore)",
	}.checkSchema(t, "")
}

func isEmpty(t *tx) bool {
	for _, name := range bucketNames() {
		for range t.all(name) {
			return false
		}
	}
	return true
}
