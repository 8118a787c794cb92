package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"

	"hermes/internal/config"
	"hermes/internal/standby"
	"hermes/pending"
	"hermes/pending/postgres"
)

// Self is this hermes, as it names itself to those that share its database.
func Self(c config.Config) standby.Holder {
	name, _ := os.Hostname()
	return standby.Holder{Name: name, Address: c.Address()}
}

// Look asks the database of HERMES_STORE once who acts. It fails as [OpenShared] does.
func Look(ctx context.Context, c config.Config) (standby.Acting, error) {
	db, err := OpenShared(ctx, c, slog.New(slog.DiscardHandler))
	if err != nil {
		return standby.Acting{}, err
	}
	defer db.Close()
	return db.Look(ctx)
}

// OpenShared opens the database of HERMES_STORE, and makes the tables that it lacks. An error that waiting does not mend wraps [standby.ErrRefused]; so does
// that the records are another bot's or a newer hermes', which a standby must not find out only when it is needed.
func OpenShared(ctx context.Context, c config.Config, log *slog.Logger) (standby.Database, error) {
	db, err := openPostgres(ctx, c, log)
	if err != nil {
		return nil, err
	}
	if err := checkRecords(db, c); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
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

// refused is a [standby.ErrRefused] in its own words.
type refused struct{ error }

func (r refused) Unwrap() []error { return []error{standby.ErrRefused, r.error} }
