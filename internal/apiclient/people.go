package apiclient

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"

	"hermes/internal/api"
	"hermes/internal/ask"
	"hermes/internal/config"
	"hermes/internal/database"
	"hermes/internal/secret"
	"hermes/internal/storage"
)

// People asks through the running hermes when the call comes: it, and its token, may
// be younger than this process. A way of nil is the network. Its errors show no secret.
func People(c config.Config, way http.RoundTripper) ask.People {
	return func(ctx context.Context, body []byte, told func(ask.Result, bool)) (ask.Result, error) {
		hermes := New(c, way)
		result, err := hermes.AskPeople(ctx, body, told)
		var fault *ask.Fault
		switch {
		case err == nil || errors.As(err, &fault):
			return result, err
		case errors.Is(err, ErrNotRunning), errors.Is(err, ErrStandby):
			err = fmt.Errorf("nobody was asked: %w", hermes.Explain(err))
		case IsRefusal(err, http.StatusBadRequest):
			err = fmt.Errorf("nobody was asked, as hermes refused it: %w", err)
		}
		return result, secret.NewRedactor(append(c.Secrets(), hermes.Token)...).Error(err)
	}
}

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
