package postgres

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

var (
	// ErrDeposed means that another hermes has the lease by now. Nothing of the change is stored.
	ErrDeposed = errors.New("another hermes has taken the lease of the store (HERMES_STORE)")
	// ErrRewound means that the last change is not there which the server had confirmed. Nothing of this one is stored. hermes then knows more than is stored, and
	// must begin again from that.
	ErrRewound = errors.New("PostgreSQL (HERMES_STORE) lacks a change that it had confirmed: a standby without it was promoted, or somebody wrote to hermes_fence")
	// ErrExpired means that the lease could not be renewed in time: another hermes may have it at any moment.
	ErrExpired = errors.New("the lease of the store (HERMES_STORE) is over: it could not be renewed in time (HERMES_LEASE)")
	// ErrReleased means that this process gave the lease up.
	ErrReleased = errors.New("the lease of the store was given up")
	// ErrNewer means that a newer hermes made the tables. Nothing was changed.
	ErrNewer = errors.New("a newer hermes uses this database")
	// ErrClosed is the error of every call after Close.
	ErrClosed = errors.New("the store is closed")

	errNoLease  = errors.New("the row of hermes_lease is missing in PostgreSQL (HERMES_STORE)")
	errNoFence  = errors.New("the row of hermes_fence is missing in PostgreSQL (HERMES_STORE)")
	errReadOnly = errors.New("this transaction only reads")
	errWarned   = errors.New("the server warned of the commit: it may not have waited for the synchronous standby")
)

// Unknown is the error of an Update whose COMMIT got no answer: it may be stored or not. The process must go on as after a crash: read anew what is stored.
type Unknown struct{ Err error }

func (u *Unknown) Error() string {
	return fmt.Sprintf("whether the last change is in the store (HERMES_STORE) is not known: %v", u.Err)
}

func (u *Unknown) Unwrap() error { return u.Err }

// lockTaken is lock_not_available.
const lockTaken = "55P03"

// temporaryStates are errors of the server, by SQLSTATE, that end by themselves: conflicts, locks, a server that stops, starts, was demoted (a pooler's connection may
// then lead to it: 25006 for a write, 0A000 for a transaction that is to write) or is full.
var temporaryStates = []string{"40001", "40P01", "40003", lockTaken, "25P02", "25P03", "25006", "0A000", "57014", "57P01", "57P02", "57P03", "57P05", "53300"}

// Temporary reports whether the same may succeed when it is tried again: the server is away, starts, was demoted or is busy. It is false for what only a person
// can mend, such as a wrong password.
func Temporary(err error) bool {
	_, unreadable := errors.AsType[urlError](err)
	return !unreadable && temporary(err)
}

// temporary says whether the same may succeed when it is tried again: also all trouble of a connection is so.
func temporary(err error) bool {
	if err == nil || isOwn(err) {
		return false
	}
	if said, ok := errors.AsType[*pgconn.PgError](err); ok {
		return slices.Contains(temporaryStates, said.Code) || strings.HasPrefix(said.Code, "08")
	}
	return true
}

func isOwn(err error) bool {
	_, unknown := errors.AsType[*Unknown](err)
	return unknown || slices.ContainsFunc([]error{ErrDeposed, ErrRewound, ErrExpired, ErrReleased, ErrNewer, ErrClosed, errNoFence, errNoLease, errReadOnly}, func(own error) bool { return errors.Is(err, own) })
}

// refused says whether the server answered to a COMMIT that it did not happen. Of a connection that ended, or whose server says that it does not
// know, nothing follows; also not from pgconn.SafeToRetry, which is true of a batch whose answer was cut off (5.12).
func refused(err error) bool {
	said, ok := errors.AsType[*pgconn.PgError](err)
	if !ok || said.Code == "40003" || strings.HasPrefix(said.Code, "08") {
		return false
	}
	return said.Severity == "ERROR" || said.SeverityUnlocalized == "ERROR"
}
