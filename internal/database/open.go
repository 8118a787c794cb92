package database

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"hermes/internal/config"
	"hermes/internal/letters"
	"hermes/internal/standby"
	"hermes/pending"
	"hermes/pending/kv"
	"hermes/pending/postgres"
)

// lockWithin is how long a command waits for a hermes that is just stopping.
const lockWithin = time.Second

// Name is what to call the database of a configuration.
func Name(c config.Config) string {
	if c.Store != "" {
		return "the database of HERMES_STORE"
	}
	return c.DB
}

// Missing says that there is no such database, or nothing in it.
func Missing(c config.Config) error {
	if c.Store != "" {
		return errors.New("there is nothing in " + Name(c) + " yet")
	}
	return fmt.Errorf("there is no database %s (HERMES_DB)", c.DB)
}

// Read opens the database for reading alone. A file it opens, and fails, as [pending.Read] does; one that several hermes share also
// while one of them acts.
func Read(ctx context.Context, c config.Config) (*pending.Store, error) {
	if c.Store == "" {
		return pending.Read(c.DB)
	}
	db, err := openPostgres(ctx, c, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	records := closing{db.Reader(), func() error { db.Close(); return nil }}
	s, err := pending.ReadShared(records)
	if err != nil {
		return nil, errors.Join(err, records.Close())
	}
	return s, nil
}

// Open opens the database for a command that changes it. It fails with [pending.ErrLocked] while a hermes has the file, or acts. A file that is not there is
// made, as [pending.Open] does.
func Open(ctx context.Context, c config.Config) (*pending.Store, error) {
	if c.Store == "" {
		return pending.Open(c.DB, pending.Options{})
	}
	records, err := openLeased(ctx, c)
	if err != nil {
		return nil, err
	}
	s, err := pending.OpenShared(records, pending.Options{})
	if err != nil {
		return nil, errors.Join(err, records.Close())
	}
	return s, nil
}

// Restore puts a backup in the place of the database. What that held is kept: of a file beside it, of a database that several hermes share beside
// the backup. It fails with [pending.ErrLocked] as [Open] does, and else as [pending.Restore] and [pending.RestoreShared] do.
func Restore(ctx context.Context, c config.Config, from string) (r pending.Restored, err error) {
	if c.Store == "" {
		return pending.Restore(from, c.DB)
	}
	records, err := openLeased(ctx, c)
	if err != nil {
		return r, err
	}
	r, err = pending.RestoreShared(from, records, from+".before-restore-"+time.Now().UTC().Format("20060102T150405.000Z"))
	return r, errors.Join(err, records.Close())
}

// openLeased acts for a command: its Close gives the lease back, and ends the connections.
func openLeased(ctx context.Context, c config.Config) (kv.DB, error) {
	db, err := openPostgres(ctx, c, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	lease, err := takeLease(ctx, db, c)
	if err != nil {
		db.Close()
		return nil, err
	}
	return closing{lease.DB(), func() error {
		defer db.Close()
		return lease.Release(context.WithoutCancel(ctx))
	}}, nil
}

// takeLease acts for a command, unless a hermes does.
func takeLease(ctx context.Context, db *postgres.Database, c config.Config) (standby.Lease, error) {
	limited, cancel := context.WithTimeout(ctx, lockWithin)
	defer cancel()
	who := Self(c)
	who.Name += " (a command)"
	lease, err := db.Acquire(limited, who)
	switch {
	case err == nil:
		return lease, nil
	case ctx.Err() == nil && errors.Is(limited.Err(), context.DeadlineExceeded):
		if a, err := db.Look(ctx); err == nil && a.Held {
			return nil, fmt.Errorf("%w: %s at %s acts (HERMES_STORE); run this command there, or name every hermes in HERMES_PUBLIC_URL", pending.ErrLocked, letters.Escaped(a.Name), letters.Escaped(a.Address))
		}
	}
	return nil, err
}

// closing is a database whose end takes more along.
type closing struct {
	kv.DB
	end func() error
}

func (c closing) Close() error { return errors.Join(c.DB.Close(), c.end()) }
