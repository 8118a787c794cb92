package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"

	"hermes/internal/config"
	"hermes/pending"
	"hermes/pending/postgres"
)

// OpenShared opens the database of HERMES_STORE, and makes the tables that it lacks. An error that waiting does not mend wraps [ErrRefused]; so does
// that the records are another bot's or a newer hermes', which a standby must not find out only when it is needed.
func OpenShared(ctx context.Context, c config.Config, log *slog.Logger) (Shared, error) {
	db, err := openPostgres(ctx, c, log)
	if err != nil {
		return nil, err
	}
	if err := checkRecords(db, c); err != nil {
		db.Close()
		return nil, err
	}
	return shared{db}, nil
}

// checkRecords fails if this hermes could not act with what is stored. A restore that is not at its end may still come there.
func checkRecords(db *postgres.Database, c config.Config) error {
	s, err := pending.ReadShared(db.Reader())
	if err == nil && c.TelegramToken != "" {
		err = s.CheckBot(c.BotID())
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, pending.ErrUnfinished):
		return nil
	case errors.Is(err, pending.ErrNewer), errors.Is(err, pending.ErrForeign), errors.Is(err, pending.ErrOtherBot):
		return refused{fmt.Errorf("HERMES_STORE: %w", err)}
	}
	return err
}

func openPostgres(ctx context.Context, c config.Config, log *slog.Logger) (*postgres.Database, error) {
	db, err := postgres.Open(ctx, c.Store.Reveal(), postgres.Options{Lease: c.Lease, Log: log})
	if err != nil && !postgres.Temporary(err) {
		return nil, refused{err}
	}
	return db, err
}

// shared is a database in PostgreSQL, in the words of this package.
type shared struct{ *postgres.Database }

func (s shared) Acquire(ctx context.Context, who Holder) (Lease, error) {
	l, err := s.Database.Acquire(ctx, postgres.Holder(who))
	if err != nil {
		return nil, err // not a nil *postgres.Lease in an interface
	}
	return l, nil
}

func (s shared) Look(ctx context.Context) (Acting, error) {
	a, err := s.Database.Look(ctx)
	return Acting{Holder: Holder{Name: a.Holder, Address: a.Address}, Epoch: a.Epoch, Held: a.Held, Age: a.Age, Delay: a.Delay, Synchronous: a.Synchronous != ""}, err
}
