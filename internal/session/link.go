package session

import (
	"crypto/rand"
	"encoding/hex"
	"strings"
)

// idMark stands in the ids of links, and in no name of one.
const idMark = "@"

// NewLinkID makes the id of a new link, by which records name the machine that has its token: the name that it gets, for people who read
// the log, and 48 random bits. It stays when the link is renamed, and no other link gets it, whatever its name. It is no secret, and is
// persisted. A link from before links had ids has its name of then as its id, which no new one can be.
func NewLinkID(name string) string {
	var b [6]byte
	rand.Read(b[:]) // never fails: crypto/rand
	return name + idMark + hex.EncodeToString(b[:])
}

// FirstName is the name that a link had when it was made.
func FirstName(id string) string {
	name, _, _ := strings.Cut(id, idMark)
	return name
}
