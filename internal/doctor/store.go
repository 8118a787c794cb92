package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/flock"
	"hermes/pending"
)

// checkStore looks at the database: through the hermes that runs, which holds it,
// else at a copy. pending.Open mends what it opens, and the doctor changes nothing.
func (d *Doctor) checkStore(ctx context.Context) result {
	if d.config.DB == "" {
		return skipped("HERMES_DB names no file")
	}
	if reply := d.daemon(); reply.known {
		if reply.status.Store != "" {
			return gradeFail.because("the hermes that runs cannot use it: "+reply.status.Store, "see its log; is there space on the disk of "+d.config.DB+"?")
		}
		if reply.status.Schema == 0 {
			return passed("the hermes that runs has it, and is too old to tell its schema")
		}
		if n := reply.status.Unread; n > 0 {
			return unread(n)
		}
		return passed("the hermes that runs has it, with schema %d", reply.status.Schema)
	}
	file, err := flock.Hold(ctx, d.config.DB, syscall.LOCK_SH, flock.StopTime)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return d.examPlace()
	case errors.Is(err, pending.ErrLocked):
		return gradeFail.because("another process holds "+d.config.DB+", and it is no hermes that answers here",
			"stop it, or give doctor the same HERMES_LISTEN as hermes serve has")
	case errors.Is(err, pending.ErrLink):
		return gradeFail.because(d.config.DB+" is a symbolic link, which hermes does not follow", "set HERMES_DB to the file itself")
	case errors.Is(err, pending.ErrForeign):
		return gradeFail.because(d.config.DB+" is not hermes' database, but something else", "set HERMES_DB to another file")
	case err != nil:
		return gradeFail.because(fmt.Sprintf("%s cannot be read: %v", d.config.DB, config.WithoutPath(err)), "check its owner and mode")
	}
	defer file.Close() // lets go of the lock
	return d.examFile(file)
}

// examFile opens a copy as hermes serve would open the file.
func (d *Doctor) examFile(file *os.File) result {
	info, err := file.Stat()
	if err != nil {
		return gradeFail.because(fmt.Sprintf("it cannot be read: %v", config.WithoutPath(err)), "check the disk of "+d.config.DB)
	}
	found, err := openCopy(file)
	switch {
	case errors.Is(err, pending.ErrNewer):
		return gradeFail.because("a newer hermes wrote "+d.config.DB, "run that one, or set HERMES_DB to another file")
	case errors.Is(err, pending.ErrForeign):
		return gradeFail.because(d.config.DB+" is the database of another program", "set HERMES_DB to another file")
	case err != nil:
		return gradeFail.because(fmt.Sprintf("%s cannot be checked: %v", d.config.DB, config.WithoutPath(err)), "check its disk and the space for temporary files")
	case found.damaged:
		return gradeFail.because(d.config.DB+" is damaged",
			"restore it from a backup; or start hermes serve, which moves it aside and begins a new one")
	case found.unreadable > 0:
		return unread(found.unreadable)
	case found.mended:
		return GradeWarn.because("one of the two first pages of "+d.config.DB+" is damaged; the other one is good", "hermes serve mends it; look after the disk")
	case info.Mode().Perm()&0o077 != 0:
		return GradeWarn.because(fmt.Sprintf("others may read %s (mode %04o)", d.config.DB, info.Mode().Perm()), "chmod 600 it")
	}
	return passed("%s is sound, with schema %d, and all its records can be read", d.config.DB, found.schema)
}

func unread(n int) result {
	return GradeWarn.because(fmt.Sprintf("%s of the database cannot be read; hermes works without", console.CountOf(n, "record")),
		"stop hermes, and see what it is: hermes unreadable; docs/database.md tells what to do")
}

// copyState is what a copy of the database turned out to be, as hermes serve would find
// and leave it.
type copyState struct {
	damaged    bool // as a whole
	mended     bool // one of its two first pages
	unreadable int  // records, those that were set aside before included
	schema     int
	token      string // the mark of the token that worked with it last
}

// openCopy opens a copy of the database, and removes it.
func openCopy(file io.Reader) (found copyState, err error) {
	dir, err := os.MkdirTemp("", "hermes-doctor-") // 0700
	if err != nil {
		return found, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "hermes.db")
	out, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return found, err
	}
	_, err = io.Copy(out, file)
	if err = errors.Join(err, out.Close()); err != nil {
		return found, err
	}
	// What is thrown away need not be waited for.
	store, err := pending.Open(path, pending.Options{NoSync: true})
	if err != nil {
		return found, err
	}
	list, err := store.Unreadable().All()
	found.damaged, found.mended, found.unreadable = store.AtOpen().Recovered != "", store.AtOpen().Mended != "", len(list)
	schema, err2 := store.Schema()
	token, err3 := store.Token()
	found.schema, found.token = schema, token
	return found, errors.Join(err, err2, err3, store.Close())
}

// examPlace looks whether a database can be made.
func (d *Doctor) examPlace() result {
	dir := existing(filepath.Dir(d.config.DB))
	const mayWrite = 2 // access(2)
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() || syscall.Access(dir, mayWrite) != nil {
		return gradeFail.because(fmt.Sprintf("there is none yet, and hermes cannot make one in %s", dir), "make that a folder that hermes may write to, or set HERMES_DB to a file elsewhere")
	}
	return passed("there is none yet; hermes serve makes %s", d.config.DB)
}

// existing is the folder, or the nearest one above it that is there.
func existing(dir string) string {
	for {
		up := filepath.Dir(dir)
		if _, err := os.Stat(dir); err == nil || up == dir {
			return dir
		}
		dir = up
	}
}
