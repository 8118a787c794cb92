package question

import (
	"crypto/rand"
	"encoding/base64"
)

// ID is hermes' own name of a thread: twelve characters of base64url, random, so
// that it cannot be guessed from outside. It is persisted and stands in the data
// of every button. A new one does not begin with a hyphen, so that no command line
// takes it for a flag.
type ID string

// NewID mints an ID. It may be called concurrently.
func NewID() ID {
	var b [9]byte
	for {
		rand.Read(b[:]) // never fails: crypto/rand
		if id := base64.RawURLEncoding.EncodeToString(b[:]); id[0] != '-' {
			return ID(id)
		}
	}
}

// Valid reports whether the text has an ID's form. It says nothing of whether
// such a thread exists.
func (id ID) Valid() bool {
	b, err := base64.RawURLEncoding.DecodeString(string(id))
	return err == nil && len(b) == 9 && len(id) == 12
}
