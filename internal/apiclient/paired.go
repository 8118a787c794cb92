package apiclient

import (
	"context"
	"errors"
	"io/fs"
	"net/http"

	"hermes/internal/api"
	"hermes/internal/storage"
	"hermes/pending"
)

// Paired are the people and chats that hermes pair has let in: as the running hermes
// has them, else its database. Where there is none, nobody was let in.
func (r Client) Paired(ctx context.Context) (storage.Pairings, error) {
	var all api.Pairings
	err := r.Fetch(ctx, http.MethodGet, "/v1/pair", nil, &all)
	if errors.Is(err, ErrNotRunning) {
		return storedPairings(r.Config.DB)
	}
	return all.LetIn(), err
}

// storedPairings reads the database that no hermes uses.
func storedPairings(path string) (storage.Pairings, error) {
	s, err := pending.Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return storage.Pairings{}, nil
	case err != nil:
		return storage.Pairings{}, err
	}
	p, err := s.Pairings()
	return p, errors.Join(err, s.Close())
}
