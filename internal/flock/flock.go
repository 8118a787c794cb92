// Package flock takes the lock by which one process at a time uses the database.
package flock

import (
	"context"
	"errors"
	"os"
	"time"

	"hermes/internal/retry"
	"hermes/pending"
)

// StopTime is how long a process that is just stopping may still hold the
// database.
const StopTime = time.Second

// Kind is how a lock is held.
type Kind int

const (
	Shared    Kind = iota // as readers hold it, several at a time
	Exclusive             // as a hermes holds it, alone
)

// Hold opens the database for reading and takes the lock by which one
// hermes at a time uses it, as bbolt takes it. It waits for another process to release it, and
// fails with pending.ErrLocked then. What pending.Usable refuses is not opened. Closing
// the file releases the lock.
func Hold(ctx context.Context, path string, how Kind, wait time.Duration) (*os.File, error) {
	if err := pending.Usable(path); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(wait); ; _ = retry.Wait(ctx, 50*time.Millisecond) {
		err = pending.TryLock(file, how == Exclusive)
		if !errors.Is(err, pending.ErrLocked) || ctx.Err() != nil || !time.Now().Before(end) {
			break
		}
	}
	if err == nil {
		return file, nil
	}
	return nil, errors.Join(err, file.Close())
}
