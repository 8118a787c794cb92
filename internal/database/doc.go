// Package database is the database that the configuration names: the file of HERMES_DB, which one hermes has to itself, or the one of
// HERMES_STORE, which several share. Those who share it, and their tests, know it by the interfaces here.
package database

import "errors"

// ErrRefused means that the database of HERMES_STORE answered, and that only a person can mend what is wrong: it does not take the
// user or the password, does not have the database, or holds what this hermes must not touch.
var ErrRefused = errors.New("the database refuses hermes")

// refused is such an error, in its own words.
type refused struct{ error }

func (r refused) Unwrap() []error { return []error{ErrRefused, r.error} }
