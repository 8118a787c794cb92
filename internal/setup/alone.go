package setup

import (
	"context"
	"errors"
	"time"
)

// probe is how long setup listens for another program that polls.
const probe = 3 * time.Second

// alone looks whether another program polls the bot; the error is a botapi.Conflict then.
func (m *updateReader) alone(ctx context.Context) error {
	for began := time.Now(); time.Since(began) < probe; {
		_, err := m.once(ctx, probe, func(incoming) bool { return false })
		if err != nil && !errors.Is(err, errFull) {
			return err
		}
		if err := m.rest(ctx, nil); err != nil {
			return err
		}
	}
	return nil
}
