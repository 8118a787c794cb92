package sessions

import (
	"errors"
	"log/slog"
	"time"

	"hermes/internal/loop"
	"hermes/internal/retry"
)

// services is what the parts of a Controller stand on.
type services struct {
	loop     *loop.Loop
	log      *slog.Logger
	store    *committer
	chats    *chatBook
	routes   *routes
	observer observer
	outbox   *outbox
	respond  *responder
}

// errEnding says that hermes ends before something could be proven. What it is about
// stays in the store, and is looked for at the next start.
var errEnding = errors.New("hermes ends")

// pause waits between two looks, beside the loop. It ends at once, with errEnding, when
// Run is told to end: what only waits for a proof needs none of its grace.
func (c *services) pause(t time.Duration) error {
	if retry.Wait(c.loop.Ending(), t) != nil {
		return errEnding
	}
	return nil
}
