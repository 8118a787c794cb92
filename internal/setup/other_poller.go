package setup

import (
	"context"
	"errors"
	"time"

	"hermes/internal/clients"
)

// probe is how long setup listens for another program that polls.
const probe = 3 * time.Second

// checkAlone looks whether another program polls the bot; the error is a botapi.Conflict then.
func (m *updateReader) checkAlone(ctx context.Context) error {
	for began := time.Now(); time.Since(began) < probe; {
		_, err := m.pollOnce(ctx, probe, func(clients.Update) bool { return false })
		if err != nil && !errors.Is(err, errFull) {
			return err
		}
		if err := m.pause(ctx, nil); err != nil {
			return err
		}
	}
	return nil
}
