package pending

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
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
	// ErrDamaged means that the file is no sound database. [Open] would move it aside.
	ErrDamaged = errors.New("the database is damaged")
)

// Open opens the file, and makes it, and its directory, where they do not exist.
// The file is readable and writable for its owner alone (0600), also if it was
// not before; a directory that is made is 0700, one that exists is left as it is.
//
// Open waits one second for another process to release the file; then it fails
// with [ErrLocked]. A path that is a link, and a file that is not hermes', are refused
// with [ErrLink] and [ErrForeign], and left as they are; a directory above may be a
// link. Open reads and checks the whole file. A damaged one is moved
// aside, to its name with .corrupt- and the time, and an empty one takes its
// place: see [Opened]. Where one of bbolt's two meta pages is damaged, the other
// one is used. A record that cannot be read stays as it is, and is left out. Threads that are settled are read when they are asked for. A file that has become far larger than what is in
// it is rewritten.
func Open(path string, o Options) (*Store, error) {
	path, err := prepare(path)
	if err != nil {
		return nil, err
	}
	opening := &opener{Store: newStore(path, nil, o)}
	err = opening.open()
	if d := (*damage)(nil); errors.As(err, &d) {
		if err := opening.moveAside(d); err != nil {
			return nil, err
		}
		err = opening.open()
	}
	if err != nil {
		return nil, err
	}
	s := opening.Store
	if err := keepPrivate(path); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	SyncDir(path)
	return s, nil
}

// Read opens a file that no hermes uses, for reading alone: methods that write
// fail, and neither the file nor what is beside it is changed. Others may read it
// at the same time. Methods leave out what [Open] would set aside. It fails with [ErrLocked] while a hermes has the file, with
// fs.ErrNotExist where there is none, and with [ErrDamaged], [ErrNewer], [ErrForeign] or
// [ErrLink] where there is nothing to be read.
func Read(path string) (*Store, error) {
	o := &opener{Store: newStore(path, nil, Options{}), reading: true}
	err := inOrder(func() error { return Usable(path) }, func() error { return notEmpty(path) }, o.attach)
	if err == nil {
		err = inOrder(o.checkAll, func() error { return o.file.View(checkForReading) })
	}
	if err == nil {
		return o.Store, nil
	}
	if o.file != nil {
		o.detach()
	}
	if d := (*damage)(nil); errors.As(err, &d) {
		err = fmt.Errorf("%w: %s", ErrDamaged, d.Reason)
	}
	return nil, err
}

// notEmpty refuses an empty file, which [Open] would make a database of.
func notEmpty(path string) error {
	if info, err := os.Stat(path); err != nil || info.Size() > 0 {
		return err
	}
	return fmt.Errorf("%s: %w: it holds nothing", path, ErrForeign)
}

// checkForReading accepts a file from before a bucket was added: what reads one that may
// be missing looks for it.
func checkForReading(tx *bolt.Tx) error {
	if _, err := checkBuckets(tx); err != nil {
		return err
	}
	if tx.Bucket([]byte(bucketJournal)) == nil {
		return fmt.Errorf("%w: it holds nothing", ErrForeign)
	}
	return nil
}

// lockWait is long enough for a hermes that is just stopping.
const lockWait = time.Second

// opener opens the file: it locks it and checks it.
type opener struct {
	*Store
	file    *bolt.DB // as bbolt knows it; nil: not open
	reading bool     // nothing is written
}

// open is one try. Only a file that is sound and of a known schema stays open.
func (o *opener) open() error {
	if err := o.attach(); err != nil {
		return err
	}
	err := inOrder(o.checkAll, o.completeBuckets, o.compact, func() (err error) {
		o.opened.Skipped, err = o.findSkipped()
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

// completeBuckets refuses a schema that this hermes does not know, makes missing buckets and raises the number of an older schema.
func (o *opener) completeBuckets() error {
	complete := false
	err := o.file.View(func(tx *bolt.Tx) (err error) {
		complete, err = checkBuckets(tx)
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", o.path, err)
	}
	if complete {
		return nil
	}
	return o.update(func(t *tx) error { return makeBuckets(t.Tx.(boltTx).Tx) })
}

func fileRemedy() remedy {
	return remedy{takeAnother, "stop it and restore a backup from before its first start (hermes restore), or set HERMES_DB to another file"}
}

// checkBuckets reports whether every bucket is there, and the schema is this hermes' own.
func checkBuckets(tx *bolt.Tx) (complete bool, err error) {
	if tx.Bucket([]byte(bucketMeta)) == nil {
		if first, _ := tx.Cursor().First(); first != nil {
			return false, fmt.Errorf("%w: %s", ErrForeign, takeAnother)
		}
		return false, nil
	}
	own, err := fileRemedy().checkSchema(over(tx), unknownBuckets(tx))
	if err != nil || !own {
		return false, err
	}
	for _, name := range bucketNames() {
		if tx.Bucket([]byte(name)) == nil {
			return false, nil
		}
	}
	return true, nil
}

// unknownBuckets names what a newer hermes keeps and this one cannot read; empty: nothing of its own.
func unknownBuckets(tx *bolt.Tx) string {
	var names []string
	_ = tx.ForEach(func(name []byte, _ *bolt.Bucket) error {
		if !slices.Contains(bucketNames(), string(name)) {
			names = append(names, strconv.QuoteToASCII(string(name[:min(len(name), 40)])))
		}
		return nil
	})
	if len(names) == 0 {
		return ""
	}
	const most = 10
	more := ""
	if len(names) > most {
		names, more = names[:most], " and more"
	}
	return ", which cannot read what is kept there as " + strings.Join(names, ", ") + more
}

// over is a transaction of bbolt as the records' code has one.
func over(b *bolt.Tx) *tx { return &tx{Tx: boltTx{b}} }

func makeBuckets(tx *bolt.Tx) error {
	for _, name := range bucketNames() {
		if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
			return err
		}
	}
	t := over(tx)
	putSchema(t)
	return t.err
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
