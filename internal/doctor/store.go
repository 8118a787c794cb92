package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"hermes/internal/backup"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/database"
	"hermes/internal/secret"
	"hermes/internal/standby"
	"hermes/pending"
)

// name is what to call the database.
func (d *Doctor) name() string {
	if d.look != nil {
		return "HERMES_STORE"
	}
	return d.config.DB
}

// lastToken is the mark of the token that worked with the database last; "" where that is not known.
func (d *Doctor) lastToken(ctx context.Context) string {
	if d.look != nil {
		return ""
	}
	store, err := database.Read(ctx, config.Config{DB: d.config.DB})
	if err != nil {
		return ""
	}
	defer store.Close()
	token, _ := store.Token()
	return token
}

// checkStore looks at the database: through the running hermes, which holds it, else as a command that only reads it.
func (d *Doctor) checkStore(ctx context.Context) result {
	if d.config.DB == "" && d.look == nil {
		return skip("HERMES_DB names no file")
	}
	if reply := d.status(); reply.known {
		if reply.status.Store != "" {
			return gradeFail.because("the running hermes cannot use it: "+reply.status.Store, "see its log; is there space on the disk of "+d.name()+"?")
		}
		if reply.status.Schema == 0 {
			return pass("the running hermes has it, and is too old to tell its schema")
		}
		if n := reply.status.Unread; n > 0 {
			return unreadableRecords(n)
		}
		if d.look == nil {
			return pass("the running hermes has it, with schema %d", reply.status.Schema)
		}
	}
	if d.look != nil {
		return d.checkShared(ctx)
	}
	store, err := database.Read(ctx, config.Config{DB: d.config.DB})
	if err != nil {
		return d.unusable(err)
	}
	defer store.Close()
	schema, err := store.Schema()
	if err != nil {
		return d.unusable(err)
	}
	if info, err := os.Stat(d.config.DB); err == nil && secret.IsExposed(info.Mode()) {
		return gradeWarn.because(fmt.Sprintf("others may read %s (mode %04o)", d.config.DB, info.Mode().Perm()), "chmod 600 it")
	}
	return pass("%s is sound, with schema %d%s", d.config.DB, schema, accessUnchecked())
}

// unusable words why the file cannot be opened.
func (d *Doctor) unusable(err error) result {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return d.checkPlace()
	case errors.Is(err, pending.ErrLocked):
		return gradeFail.because("another process holds "+d.config.DB+", and it is no hermes that answers here",
			"stop it, or give doctor the same HERMES_LISTEN as hermes serve has")
	case errors.Is(err, pending.ErrLink):
		return gradeFail.because(d.config.DB+" is a symbolic link, which hermes does not follow", "set HERMES_DB to the file itself")
	case errors.Is(err, pending.ErrNewer):
		return gradeFail.because("a newer hermes wrote "+d.config.DB, "run that one, or set HERMES_DB to another file")
	case errors.Is(err, pending.ErrForeign):
		return gradeFail.because(d.config.DB+" is not hermes' database, but something else", "set HERMES_DB to another file")
	case errors.Is(err, pending.ErrDamaged):
		return gradeFail.because(d.config.DB+" is damaged",
			"restore it from a backup; or start hermes serve, which moves it aside and begins a new one")
	}
	return gradeFail.because(fmt.Sprintf("%s cannot be read: %v", d.config.DB, config.WithoutPath(err)), "check its owner and mode, and its disk")
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
		"the log of hermes names them; docs/operating.md says what to do")
}

// checkPlace looks whether there can be a database.
func (d *Doctor) checkPlace() result {
	dir := nearestFolder(filepath.Dir(d.config.DB))
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return gradeFail.because(fmt.Sprintf("there is none yet, and hermes cannot make one in %s", dir), "make that a folder that hermes may write to, or set HERMES_DB to a file elsewhere")
	}
	return pass("there is none yet; hermes serve makes %s", d.config.DB)
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

// sharedSlow is the part of a lease that a renewal may take: it is tried about three times in a lease.
const sharedSlow = 10

// checkShared looks at the database that several hermes share, and which of them acts.
func (d *Doctor) checkShared(ctx context.Context) result {
	a, err := d.look(ctx)
	switch {
	case errors.Is(err, standby.ErrRefused):
		return gradeFail.because(err.Error(), "do what it says, or correct the user, the password or the database in HERMES_STORE")
	case err != nil:
		return gradeFail.because(fmt.Sprintf("the database of HERMES_STORE does not answer: %v", err),
			"start it, or check HERMES_STORE and the network; until it answers no hermes acts, and then one goes on")
	case !a.Held:
		return gradeFail.because("the database of HERMES_STORE answers, but no hermes acts", "start hermes serve, on one machine or more")
	}
	detail := fmt.Sprintf("%s at %s acts, in epoch %d; it renewed its lease %v ago, and the database answers in %v",
		a.Name, a.Address, a.Epoch, a.Age.Round(100*time.Millisecond), a.Delay.Round(time.Millisecond))
	if a.Delay > d.config.Lease/sharedSlow {
		return gradeWarn.because(detail+", which is long for a lease of "+d.config.Lease.String(), "set HERMES_LEASE higher, on every hermes, or bring the database nearer")
	}
	if !a.Synchronous {
		detail += "; a change waits for no standby of the database, so that its failover may lose the last ones (synchronous_standby_names, synchronous_commit)"
	}
	return pass("%s", detail)
}

// backupLate is how old the newest copy may be: hermes makes one a day, and tries again every hour.
const backupLate = backup.Every + 3*time.Hour

// checkBackup looks at the daily copies of the database, if hermes makes any. Of several hermes only the one that acts does.
func (d *Doctor) checkBackup(context.Context) result {
	switch c := d.config; {
	case c.BackupDir == "":
		return result{}
	case c.Store != "" && d.status().standby != "":
		return skip("this hermes stands by; the one that acts makes the copies, in its own folder")
	default:
		return checkBackups(backup.Folder{Path: c.BackupDir, Of: c.BotID()}, time.Now())
	}
}

func checkBackups(f backup.Folder, now time.Time) result {
	at, err := f.Newest(now)
	const remedy = "see the log of hermes serve, which says why; is there space in that folder, and may hermes write to it?"
	switch {
	case err != nil:
		return gradeFail.because(fmt.Sprintf("%s cannot be read: %v", f.Path, config.WithoutPath(err)), "check its owner and mode")
	case at.IsZero():
		return gradeFail.because("there is no copy of the database in "+f.Path+" (HERMES_BACKUP_DIR)", remedy)
	case now.Sub(at) > backupLate:
		return gradeFail.because(fmt.Sprintf("the newest copy in %s is %d hours old", f.Path, int(now.Sub(at).Hours())), remedy)
	}
	return pass("the newest copy in %s is %d hours old", f.Path, int(now.Sub(at).Hours()))
}

// The space that the database's disk should have free, in bytes. A busy database
// is a few MiB; a commit that finds no space is a question that is not kept.
const (
	spaceWarn = 200 << 20
	spaceFail = 20 << 20
)

func (d *Doctor) checkDisk(context.Context) result {
	if d.look != nil {
		return skip("the database of HERMES_STORE is on another disk")
	}
	if d.config.DB == "" {
		return skip("HERMES_DB names no file")
	}
	dir := nearestFolder(filepath.Dir(d.config.DB))
	free, err := d.world.free(dir)
	if err != nil {
		return skip("the system does not say how much space %s has: %v", dir, err)
	}
	detail := fmt.Sprintf("%s are free at %s", binarySize(free), dir)
	const remedy = "delete something there, or set HERMES_DB to a file on another disk"
	switch {
	case free < spaceFail:
		return gradeFail.because(detail, remedy)
	case free < spaceWarn:
		return gradeWarn.because(detail, remedy)
	}
	return pass("%s", detail)
}

// binarySize is a number of bytes in a unit of which there are not too many.
func binarySize(bytes uint64) string {
	const gib = 1 << 30
	if bytes < 10*gib {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d GiB", bytes/gib)
}
