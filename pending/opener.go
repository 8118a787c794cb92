package pending

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// lockWait is long enough for a hermes that is just stopping.
const lockWait = time.Second

// prepare makes the directory and returns the path without links above the file, so
// that what is put beside the file stays beside it. It changes nothing of a file that
// is there.
func prepare(path string) (string, error) {
	if path == "" {
		return "", errors.New("no database file is named: set HERMES_DB")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("make the directory of the database (HERMES_DB): %w", err)
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return "", fmt.Errorf("find the directory of the database (HERMES_DB): %w", err)
	}
	return filepath.Join(dir, filepath.Base(path)), nil
}

// keepPrivate takes the file's mode from everybody but its owner.
func keepPrivate(path string) error {
	info, err := os.Lstat(path)
	if err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		err = os.Chmod(path, info.Mode().Perm()&0o700)
	}
	if err != nil {
		return fmt.Errorf("keep the database to its owner (HERMES_DB): %w", err)
	}
	return nil
}

// opener opens the file: it locks it and checks it.
type opener struct {
	*database
	file  *bolt.DB // as bbolt knows it; nil: not open
	found Opened
}

// Opened is what Open found and did. The texts are sentences for the log; empty: nothing.
type Opened struct {
	Recovered string    // what was done to a file that was damaged
	Skipped   []Skipped // records that cannot be read
}

// open is one try. Only a file that is sound and of a known schema stays open.
func (o *opener) open() error {
	if err := o.attach(); err != nil {
		return err
	}
	err := inOrder(o.checkAll, o.completeBuckets, o.compact, func() (err error) {
		o.found.Skipped, err = o.findSkipped()
		return err
	})
	if err != nil {
		o.detach()
	}
	return err
}

// attach opens and locks the file. The lock belongs to what was opened, and a
// process that held it may have put another file in that place (when it moves a
// damaged file aside or rewrites a large one): then that other file is in use.
func (o *opener) attach() error {
	var file *os.File
	if err := o.checkReadable(&file); err != nil {
		return err
	}
	db, err := openBolt(o.path, bolt.Options{NoSync: o.options.NoSync, ReadOnly: o.reading}, &file)
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return o.lockedError()
	case err != nil:
		return o.asDamage(err, file)
	}
	o.file, o.db = db, boltDB{db}
	if info, err := file.Stat(); err != nil || !isAt(info, o.path) {
		o.detach()
		return o.lockedError()
	}
	return nil
}

// checkReadable checks a file that is there, under a lock of its own, before anything can write to it: that it is hermes', and of a schema that
// this one knows.
func (o *opener) checkReadable(file **os.File) error {
	err := Usable(o.path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info, err := os.Stat(o.path); err == nil && info.Size() == 0 {
		return nil // a new one
	}
	db, err := openBolt(o.path, bolt.Options{ReadOnly: true}, file)
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return o.lockedError()
	case err != nil:
		return o.asDamage(err, *file)
	}
	defer db.Close()
	if info, err := (*file).Stat(); err != nil || !isAt(info, o.path) {
		return o.lockedError()
	}
	if err := viewSafely(db, func(tx *bolt.Tx) error { _, err := checkBuckets(tx); return err }); errors.Is(err, ErrForeign) || errors.Is(err, ErrNewer) {
		return fmt.Errorf("%s: %w", o.path, err)
	}
	return nil // of other failures [opener.checkAll] says more
}

// viewSafely reads, and turns the panics of bbolt and the faults of its mapping into errors.
func viewSafely(db *bolt.DB, fn func(*bolt.Tx) error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("a page cannot be read: %v", r)
		}
	}()
	return db.View(fn)
}

// openBolt turns the panics of bbolt and the faults of a mapping that is longer
// than its file into errors. It then closes the file, which frees its lock.
func openBolt(path string, o bolt.Options, file **os.File) (db *bolt.DB, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			_ = (*file).Close()
			db, err = nil, &damage{Reason: fmt.Sprint(r)}
		}
	}()
	o.Timeout = lockWait
	opened := false
	o.OpenFile = func(name string, flag int, mode os.FileMode) (f *os.File, err error) {
		f, err = os.OpenFile(name, flag|noFollow, mode)
		if !opened { // bbolt opens it once more for each backup, perhaps two at once
			*file = f
		}
		return f, err
	}
	db, err = bolt.Open(path, 0o600, &o)
	opened = true
	return db, err
}

func isAt(info os.FileInfo, path string) bool {
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(info, there)
}

func (o *opener) lockedError() error {
	return fmt.Errorf("%s: %w: stop that one, or set HERMES_DB to another file", o.path, ErrLocked)
}

// detach closes a file that will not be used; its content is as it was. It may be closed already: one that was rewritten, and that
// another hermes took before it was locked again.
func (o *opener) detach() {
	if o.file != nil {
		_ = o.file.Close()
	}
	o.file, o.db = nil, nil
}

// SyncDir makes the file's name, in its folder, as lasting as its content. Some file systems
// cannot do that, which is no reason not to work on them.
func SyncDir(path string) {
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
}
