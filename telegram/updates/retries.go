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

// steady is how long updates must come in until a failure counts as over: beside another program that polls they do so every
// other second.
const steady = time.Minute

// retries paces the tries after a failure. It logs each kind once, and its end when that has lasted.
type retries struct {
	log      *slog.Logger
	failures int                    // in a row
	attempts int                    // that failed since the first one that was logged
	logged   map[botapi.Reason]bool // since then
	good     time.Time              // since when tries succeed again; zero: they do not, or none has failed
}

// wait pauses after a failure: as long as Telegram says, else doubling from a
// second, give or take a quarter.
func (r *retries) wait(ctx context.Context, err *botapi.Error) {
	r.noteFailure(err)
	pause := retry.Backoff(r.failures, time.Second, maxBackoff)
	pause += rand.N(pause/2) - pause/4
	_ = retry.Wait(ctx, max(pause, err.RetryAfter)) // whoever tries again looks at ctx
}

func (r *retries) noteFailure(err *botapi.Error) {
	r.failures, r.attempts, r.good = r.failures+1, r.attempts+1, time.Time{}
	if r.logged[err.Reason] {
		return
	}
	if r.logged == nil {
		r.logged = map[botapi.Reason]bool{}
	}
	r.logged[err.Reason] = true
	r.log.Warn("updates do not come in", "op", err.Op, "reason", err.Reason, "err", err)
}

// reset is called after each success: it ends the row of failures, and logs when that has lasted.
func (r *retries) reset() {
	r.failures = 0
	switch now := time.Now(); {
	case r.logged == nil:
	case r.good.IsZero():
		r.good = now
	case now.Sub(r.good) >= steady:
		r.log.Info("updates come in again", "attempt", r.attempts)
		*r = retries{log: r.log}
	}
}
