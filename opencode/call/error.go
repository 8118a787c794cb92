package call

import (
	"errors"
	"fmt"

	"hermes/opencode/link"
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
	Status int    // HTTP status; 0 without an answer
	Tag    string // what OpenCode 2 calls the error, such as FormNotFoundError; empty: it does not say
	Err    error  // cause, may be nil

	// Said is what OpenCode 2 says of answers to a form that it does not take; empty for every other error. It is text of
	// strangers, for people to read: Error leaves it out.
	Said string
}

func (e *Error) Error() string {
	switch {
	case e.Err != nil:
		return fmt.Sprintf("opencode: %s: %s: %v", e.Op, e.Reason, e.Err)
	case e.Tag != "":
		return fmt.Sprintf("opencode: %s: %s (HTTP %d, %s)", e.Op, e.Reason, e.Status, e.Tag)
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

// IsNoRoute reports whether the server does not have the route, or does not have what
// the route leads to.
func IsNoRoute(err error) bool {
	var e *Error
	return errors.As(err, &e) && (e.Reason == NotFound || e.Reason == NotOpenCode)
}

// HasTag reports whether OpenCode 2 calls the error so.
func HasTag(err error, tag string) bool {
	var e *Error
	return errors.As(err, &e) && e.Tag == tag
}

// IsForbidden reports whether the plugin does not allow the call.
func IsForbidden(err error) bool {
	var no *link.CallError
	return errors.As(err, &no) && no.Refused
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

// wrongJSON is nil for nil.
func wrongJSON(op string, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Op: op, Reason: NotOpenCode, Err: errors.New("the answer is not the JSON that was expected")}
}
