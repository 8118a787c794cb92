package telegram

import (
	"context"
	"math/rand/v2"
	"time"
)

// trouble paces the tries after a failure and logs each kind once.
type trouble struct {
	b       *Bot
	reason  Reason
	attempt int
}

// wait pauses after a failure: as long as Telegram says, else doubling from a
// second, give or take a quarter.
func (t *trouble) wait(ctx context.Context, err *Error) {
	if err.Reason != t.reason {
		t.b.log.Warn("updates do not come in", "op", err.Op, "reason", err.Reason, "err", err)
		t.reason = err.Reason
	}
	pause := min(time.Second<<min(t.attempt, 5), maxBackoff)
	pause += rand.N(pause/2) - pause/4
	t.attempt++
	rest(ctx, max(pause, err.RetryAfter))
}

// rest pauses until ctx is done.
func rest(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

func (t *trouble) over() {
	if t.reason != "" {
		t.b.log.Info("updates come in again", "attempt", t.attempt)
	}
	t.reason, t.attempt = "", 0
}
