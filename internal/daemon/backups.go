package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"sync/atomic"
	"time"

	"hermes/internal/backup"
	"hermes/internal/config"
	"hermes/pending"
)

// backups makes the daily copies of the database in HERMES_BACKUP_DIR.
type backups struct {
	folder  backupFolder // nil: none are made
	store   *pending.Store
	log     *slog.Logger
	trouble string       // that was logged last; empty: all is well
	newest  atomic.Int64 // when the newest copy was made, in seconds since 1970, as of the last look at the folder, which may hang; 0: there is none
}

// backupFolder is a [backup.Folder]. Each of its methods may hang with its disk.
type backupFolder interface {
	Newest(now time.Time) (time.Time, error)
	Make(now time.Time, fill func(io.Writer) error) (pending.Copied, error)
}

const (
	// lookForBackup is how often it is looked whether a copy is due, and how soon one that failed is
	// tried again.
	lookForBackup = time.Hour
	// letGo is how long an attempt may take from its limit on, or the stop, until its disk counts as hanging.
	letGo = 2 * time.Second
)

func newBackups(c config.Config, store *pending.Store, log *slog.Logger) *backups {
	b := &backups{store: store, log: log}
	if c.BackupDir != "" {
		b.folder = backup.Folder{Path: c.BackupDir, Of: c.BotID(), Keep: c.BackupKeep}
	}
	return b
}

// run makes a copy when the newest is a day old, until ctx ends. Without a folder it does nothing. A disk that hangs, as one of the
// network does, cannot be told to stop: then no other copy is begun until it answers, and neither the database nor the stop waits for it.
func (b *backups) run(ctx context.Context) {
	if b.folder == nil {
		return
	}
	regularly(ctx, lookForBackup, func() { b.attempt(ctx) })
}

// attempt makes a copy if one is due. It returns when that is over, or ctx has ended.
func (b *backups) attempt(ctx context.Context) {
	limited, cancel := context.WithTimeoutCause(ctx, backupWithin, fmt.Errorf("it took longer than %v", backupWithin))
	defer cancel()
	over := make(chan struct{})
	go func() {
		defer close(over)
		b.makeIfDue(limited, time.Now())
	}()
	select {
	case <-over:
		return
	case <-limited.Done():
	}
	select {
	case <-over:
		return
	case <-time.After(letGo):
	}
	if ctx.Err() != nil {
		return
	}
	b.log.Error("the folder of the backups does not answer (HERMES_BACKUP_DIR); hermes makes no copy until it does", "after", backupWithin)
	select {
	case <-over:
	case <-ctx.Done():
	}
}

func (b *backups) makeIfDue(ctx context.Context, now time.Time) {
	newest, err := b.folder.Newest(now)
	if err == nil {
		b.note(newest)
	}
	if err == nil && !backup.Due(newest, now) {
		return
	}
	var c pending.Copied
	if err == nil {
		c, err = b.folder.Make(now, func(w io.Writer) error { return b.copyTo(ctx, w) })
	}
	if err == nil {
		b.note(now)
	}
	switch {
	case err != nil && errors.Is(ctx.Err(), context.Canceled): // hermes stops
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

// copyTo writes the database to w until ctx ends. From then on nothing of the database is held, though w may hang for ever: while a
// copy is read, the file cannot reuse pages, and cannot be closed.
func (b *backups) copyTo(ctx context.Context, w io.Writer) error {
	from, to := io.Pipe()
	defer context.AfterFunc(ctx, func() { to.CloseWithError(context.Cause(ctx)) })()
	go func() { to.CloseWithError(b.store.Backup(to, func(int64) {})) }()
	_, err := io.Copy(w, from)
	from.CloseWithError(err)
	return err
}

// reason is an error without the name of the file, which is another one at each try.
func reason(err error) string {
	if in := (*fs.PathError)(nil); errors.As(err, &in) {
		return in.Op + ": " + in.Err.Error()
	}
	return err.Error()
}

func (b *backups) note(newest time.Time) {
	if newest.IsZero() {
		b.newest.Store(0)
		return
	}
	b.newest.Store(newest.Unix())
}
