package main

import (
	"context"
	"time"
)

// watch follows the journal of the hermes that runs, past its restarts.
type watch struct {
	hermes running
	after  uint64
	failed time.Time // since when it does not answer; zero: it does
}

// newWatch begins behind the last entry, or so many before it.
func newWatch(ctx context.Context, hermes running, back uint64) (*watch, error) {
	s, err := hermes.status(ctx)
	return &watch{hermes: hermes, after: s.Journal - min(s.Journal, back)}, err
}

// next calls fn with what comes next, and returns when it has, or after a while.
func (w *watch) next(ctx context.Context, fn func(apiEntry) error) error {
	err := w.hermes.journal(ctx, entryPick{after: w.after}, pollFor, func(e apiEntry) error {
		w.after = e.Number
		return fn(e)
	})
	if err == nil {
		w.failed = time.Time{}
	}
	return err
}

// again waits a moment after a failure, and reports whether to go on: a hermes that is
// being restarted comes back.
func (w *watch) again(ctx context.Context, err error) bool {
	if w.failed.IsZero() {
		w.failed = time.Now()
	}
	if lasting(err) || time.Since(w.failed) > patience {
		return false
	}
	pauseFor(ctx, askAgainIn)
	return ctx.Err() == nil
}
