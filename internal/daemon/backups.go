package daemon

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"time"

	"hermes/internal/backup"
	"hermes/pending"
)

// backups makes the daily copies of the database in HERMES_BACKUP_DIR.
type backups struct {
	folder  backup.Folder
	store   *pending.Store
	log     *slog.Logger
	trouble string // that was logged last; empty: all is well
}

// lookForBackup is how often it is looked whether a copy is due, and how soon one that failed is
// tried again.
const lookForBackup = time.Hour

// run makes a copy when the newest is a day old, until ctx ends. Without a folder it does nothing.
func (b *backups) run(ctx context.Context) {
	if b.folder.Path == "" {
		return
	}
	tick := time.NewTicker(lookForBackup)
	defer tick.Stop()
	for {
		b.makeIfDue(ctx, time.Now())
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func (b *backups) makeIfDue(ctx context.Context, now time.Time) {
	due, err := b.folder.Due(now)
	if err == nil && !due {
		return
	}
	var c pending.Copied
	if err == nil {
		c, err = b.folder.Make(now, func(w io.Writer) error {
			return b.store.Backup(untilEnd{ctx, w}, func(int64) {})
		})
	}
	switch {
	case ctx.Err() != nil:
	case err == nil && c.Broken != nil:
		b.log.Error("the database was backed up; its journal is not as it was written", "bytes", c.Bytes, "err", c.Broken)
		b.trouble = ""
	case err == nil:
		b.log.Info("the database was backed up", "bytes", c.Bytes, "entries", c.Chain.Entries)
		b.trouble = ""
	case b.trouble != reason(err):
		b.log.Error("the database could not be backed up (HERMES_BACKUP_DIR); hermes tries again every hour", "err", err)
		b.trouble = reason(err)
	}
}

// reason is an error without the name of the file, which is another one at each try.
func reason(err error) string {
	if in := (*fs.PathError)(nil); errors.As(err, &in) {
		return in.Op + ": " + in.Err.Error()
	}
	return err.Error()
}

// untilEnd is a writer that fails when ctx has ended, so that a stop does not wait for a copy.
type untilEnd struct {
	ctx context.Context
	w   io.Writer
}

func (u untilEnd) Write(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.w.Write(p)
}

// last is when the newest copy was made, in seconds since 1970; 0: there is none.
func (b *backups) last() float64 {
	at, err := b.folder.Newest(time.Now())
	if err != nil || at.IsZero() {
		return 0
	}
	return float64(at.Unix())
}
