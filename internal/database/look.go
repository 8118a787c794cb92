package database

import (
	"context"
	"log/slog"

	"hermes/internal/config"
)

// Look asks the database of HERMES_STORE once who acts. It fails as [OpenShared] does.
func Look(ctx context.Context, c config.Config) (Acting, error) {
	db, err := OpenShared(ctx, c, slog.New(slog.DiscardHandler))
	if err != nil {
		return Acting{}, err
	}
	defer db.Close()
	return db.Look(ctx)
}
