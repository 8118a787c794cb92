package opencode

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Reason is the closed set of ways in which a call to OpenCode fails.
type Reason string

const (
	Unreachable  Reason = "unreachable"  // no answer: not running, restarting, link lost, or too slow
	Unauthorized Reason = "unauthorized" // 401: the password is wrong or missing
	NotFound     Reason = "not-found"    // 404: the session, message or request is not there
	Refused      Reason = "refused"      // any other 4xx
	Broken       Reason = "broken"       // 5xx
	NotOpenCode  Reason = "not-opencode" // an answer that is no JSON: another program, or an unknown route
)

// Error is a failed call. It never holds a password: requests carry that in a
// header only, and answers are not quoted.
type Error struct {
	Op     string // the call, such as "list questions"
	Reason Reason
	Status int   // HTTP status; 0 without an answer
	Err    error // cause, may be nil
}

func (e *Error) Error() string {
	switch {
	case e.Err != nil:
		return fmt.Sprintf("opencode: %s: %s: %v", e.Op, e.Reason, e.Err)
	case e.Status != 0:
		return fmt.Sprintf("opencode: %s: %s (HTTP %d)", e.Op, e.Reason, e.Status)
	}
	return fmt.Sprintf("opencode: %s: %s", e.Op, e.Reason)
}

func (e *Error) Unwrap() error { return e.Err }

// Temporary reports whether the same call may succeed later.
func (e *Error) Temporary() bool {
	return e.Reason == Unreachable || e.Reason == Broken || e.Reason == Unauthorized || e.Reason == NotOpenCode
}

// IsNotFound reports whether OpenCode said that the thing asked for is not there.
func IsNotFound(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Reason == NotFound
}

// reasonOf sorts an HTTP status.
func reasonOf(status int) Reason {
	switch {
	case status == 401 || status == 403:
		return Unauthorized
	case status == 404:
		return NotFound
	case status >= 500:
		return Broken
	}
	return Refused
}

// after waits, unless ctx ends first.
func after(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
