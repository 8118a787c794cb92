package apiclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"hermes/internal/ask"
	"hermes/internal/config"
	"hermes/internal/secret"
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
