package apiclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"hermes/internal/api"
	"hermes/internal/ask"
	"hermes/internal/config"
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
		return result, hermes.Redactor().Error(err)
	}
}

// Paired are the people and chats that hermes pair has let in.
func (r Client) Paired(ctx context.Context) (storage.Pairings, error) {
	var all api.Pairings
	err := r.Fetch(ctx, http.MethodGet, "/v1/pair", nil, &all)
	return all.LetIn(), err
}
