package updates

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"

	"hermes/internal/retry"
	"hermes/telegram/botapi"
)

// maxBackoff is the longest pause between tries, but for one that Telegram asks for.
const maxBackoff = 30 * time.Second

// retries paces the tries after a failure and logs each kind once.
type retries struct {
	log      *slog.Logger
	reason   botapi.Reason // of the last failure
	failures int           // in a row
}

// wait pauses after a failure: as long as Telegram says, else doubling from a
// second, give or take a quarter.
func (r *retries) wait(ctx context.Context, err *botapi.Error) {
	if err.Reason != r.reason {
		r.log.Warn("updates do not come in", "op", err.Op, "reason", err.Reason, "err", err)
		r.reason = err.Reason
	}
	r.failures++
	pause := retry.Backoff(r.failures, time.Second, maxBackoff)
	pause += rand.N(pause/2) - pause/4
	_ = retry.Wait(ctx, max(pause, err.RetryAfter)) // whoever tries again looks at ctx
}

// reset is called after a success: it ends the row of failures, and logs that if one was logged.
func (r *retries) reset() {
	if r.reason != "" {
		r.log.Info("updates come in again", "attempt", r.failures)
	}
	r.reason, r.failures = "", 0
}
