package postgres

import "errors"

// Temporary reports whether the same may succeed when it is tried again: the server is away, starts, was demoted or is busy. It is false for what only a person
// can mend, such as a wrong password.
func Temporary(err error) bool {
	_, unreadable := errors.AsType[urlError](err)
	return !unreadable && temporary(err)
}
