package sessions

import (
	"context"
	"errors"
	"time"
)

// errEnding says that hermes ends before something could be proven. What it is about
// stays in the store, and is looked for at the next start.
var errEnding = errors.New("hermes ends")

// rest waits between two looks, beside the loop. It ends at once, with errEnding, when
// Run is told to end: what only waits for a proof needs none of its grace.
func (d *Desk) rest(ctx context.Context, t time.Duration) error {
	timer := time.NewTimer(t)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-d.ending:
	case <-ctx.Done():
	}
	return errEnding
}
