package apiclient

import (
	"context"
	"time"

	"hermes/internal/api"
	"hermes/internal/retry"
)

// Watch follows the journal of the running hermes, past its restarts.
type Watch struct {
	hermes Client
	After  uint64
	failed time.Time // since when it does not answer; zero: it does
}

// NewWatch begins behind the last entry, or so many before it.
func NewWatch(ctx context.Context, hermes Client, back uint64) (*Watch, error) {
	s, err := hermes.status(ctx)
	return &Watch{hermes: hermes, After: s.Journal - min(s.Journal, back)}, err
}

// Next calls fn with what comes next, and returns when it has, or after a while.
func (w *Watch) Next(ctx context.Context, fn func(api.Entry) error) error {
	err := w.hermes.Journal(ctx, api.EntryFilter{After: w.After}, pollFor, func(e api.Entry) error {
		w.After = e.Number
		return fn(e)
	})
	if err == nil {
		w.failed = time.Time{}
	}
	return err
}

// Again waits a moment after a failure, and reports whether to continue: a hermes that is
// being restarted comes back.
func (w *Watch) Again(ctx context.Context, err error) bool {
	if w.failed.IsZero() {
		w.failed = time.Now()
	}
	if isPermanent(err) || time.Since(w.failed) > patience {
		return false
	}
	_ = retry.Wait(ctx, askAgainIn)
	return ctx.Err() == nil
}
