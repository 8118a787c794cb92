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
	"time"

	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/database"
	"hermes/internal/flock"
	"hermes/internal/secret"
	"hermes/pending"
)

// storeChecks look at the database, and at the disk that it is on.
type storeChecks struct {
	db     string // HERMES_DB
	hermes *hermesProbe
	free   func(dir string) (bytes uint64, err error)

	look  func(context.Context) (database.Acting, error) // at the database of HERMES_STORE; nil: it is the file
	lease time.Duration
}

// name is what to call the database.
func (c *storeChecks) name() string {
	if c.look != nil {
		return "HERMES_STORE"
	}
	return c.db
}

// lastToken is the mark of the token that worked with the database last; "" where that is not known.
func (c *storeChecks) lastToken(ctx context.Context) string {
	if c.db == "" || c.look != nil {
		return ""
	}
	file, err := flock.Hold(ctx, c.db, flock.Shared, flock.StopTime)
	if err != nil {
		return ""
	}
	defer file.Close() // releases the lock
	found, err := inspectCopy(file)
	if err != nil {
		return ""
	}
	return found.token
}

// checkStore looks at the database: through the running hermes, which holds it,
// else at a copy. pending.Open mends what it opens, and the doctor changes nothing.
func (c *storeChecks) checkStore(ctx context.Context) result {
	if c.db == "" && c.look == nil {
		return skip("HERMES_DB names no file")
	}
	if reply := c.hermes.status(); reply.known {
		if reply.status.Store != "" {
			return gradeFail.because("the running hermes cannot use it: "+reply.status.Store, "see its log; is there space on the disk of "+c.name()+"?")
		}
		if reply.status.Schema == 0 {
			return pass("the running hermes has it, and is too old to tell its schema")
		}
		if n := reply.status.Unread; n > 0 {
			return unreadableRecords(n)
		}
		if c.look == nil {
			return pass("the running hermes has it, with schema %d", reply.status.Schema)
		}
	}
	if c.look != nil {
		return c.checkShared(ctx)
	}
	file, err := flock.Hold(ctx, c.db, flock.Shared, flock.StopTime)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return c.checkPlace()
	case errors.Is(err, pending.ErrLocked):
		return gradeFail.because("another process holds "+c.db+", and it is no hermes that answers here",
			"stop it, or give doctor the same HERMES_LISTEN as hermes serve has")
	case errors.Is(err, pending.ErrLink):
		return gradeFail.because(c.db+" is a symbolic link, which hermes does not follow", "set HERMES_DB to the file itself")
	case errors.Is(err, pending.ErrForeign):
		return gradeFail.because(c.db+" is not hermes' database, but something else", "set HERMES_DB to another file")
	case err != nil:
		return gradeFail.because(fmt.Sprintf("%s cannot be read: %v", c.db, config.WithoutPath(err)), "check its owner and mode")
	}
	defer file.Close() // releases the lock
	return c.checkFile(file)
}

// checkFile opens a copy as hermes serve would open the file.
func (c *storeChecks) checkFile(file *os.File) result {
	info, err := file.Stat()
	if err != nil {
		return gradeFail.because(fmt.Sprintf("it cannot be read: %v", config.WithoutPath(err)), "check the disk of "+c.db)
	}
	found, err := inspectCopy(file)
	switch {
	case errors.Is(err, pending.ErrNewer):
		return gradeFail.because("a newer hermes wrote "+c.db, "run that one, or set HERMES_DB to another file")
	case errors.Is(err, pending.ErrForeign):
		return gradeFail.because(c.db+" is the database of another program", "set HERMES_DB to another file")
	case err != nil:
		return gradeFail.because(fmt.Sprintf("%s cannot be checked: %v", c.db, config.WithoutPath(err)), "check its disk and the space for temporary files")
	case found.damaged:
		return gradeFail.because(c.db+" is damaged",
			"restore it from a backup; or start hermes serve, which moves it aside and begins a new one")
	case found.unreadable > 0:
		return unreadableRecords(found.unreadable)
	case found.mended:
		return gradeWarn.because("one of the two first pages of "+c.db+" is damaged; the other one is good", "hermes serve mends it; look after the disk")
	case secret.IsExposed(info.Mode()):
		return gradeWarn.because(fmt.Sprintf("others may read %s (mode %04o)", c.db, info.Mode().Perm()), "chmod 600 it")
	}
	return pass("%s is sound, with schema %d, and all its records can be read%s", c.db, found.schema, accessUnchecked())
}

// accessUnchecked is what a good result leaves open where modes say nothing.
func accessUnchecked() string {
	if secret.ModesKept {
		return ""
	}
	return "; whether others may read it is not checked on this system"
}

func unreadableRecords(n int) result {
	return gradeWarn.because(fmt.Sprintf("%s of the database cannot be read; hermes works without", console.CountOf(n, "record")),
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

// inspectCopy opens a copy of the database, and removes it.
func inspectCopy(file io.Reader) (found copyState, err error) {
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

// checkPlace looks whether a database can be made.
func (c *storeChecks) checkPlace() result {
	dir := nearestFolder(filepath.Dir(c.db))
	info, err := os.Stat(dir)
	may, known := mayWriteIn(dir)
	if err != nil || !info.IsDir() || !may {
		return gradeFail.because(fmt.Sprintf("there is none yet, and hermes cannot make one in %s", dir), "make that a folder that hermes may write to, or set HERMES_DB to a file elsewhere")
	}
	if !known {
		return skip("there is none yet; whether hermes may make %s is not checked on this system", c.db)
	}
	return pass("there is none yet; hermes serve makes %s", c.db)
}

// nearestFolder is the folder, or the nearest one above it that is there.
func nearestFolder(dir string) string {
	for {
		up := filepath.Dir(dir)
		if _, err := os.Stat(dir); err == nil || up == dir {
			return dir
		}
		dir = up
	}
}
