package apiclient

import (
	"context"
	"errors"
	"io/fs"
	"net/http"

	"hermes/internal/api"
	"hermes/internal/database"
	"hermes/internal/storage"
)

// Paired are the people and chats that hermes pair has let in: as the running hermes
// has them, else its database. Where there is none, nobody was let in.
func (r Client) Paired(ctx context.Context) (storage.Pairings, error) {
	var all api.Pairings
	err := r.Fetch(ctx, http.MethodGet, "/v1/pair", nil, &all)
	if r.MayRead(err) {
		return r.storedPairings(ctx)
	}
	return all.LetIn(), err
}

// storedPairings reads the database that no hermes uses.
func (r Client) storedPairings(ctx context.Context) (storage.Pairings, error) {
	s, err := database.Read(ctx, r.Config)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return storage.Pairings{}, nil
	case err != nil:
		return storage.Pairings{}, err
	}
	p, err := s.Pairings()
	return p, errors.Join(err, s.Close())
}
