package storage

import (
	"crypto/rand"
	"encoding/hex"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/secret"
)

// LinkCodeFor is how long a code for a machine can be used.
const LinkCodeFor = 10 * time.Minute

// LinkCode makes one link, that of a machine of the person to whom it was given. Only the hash of it is kept.
type LinkCode struct {
	ID    question.ID // names it in the journal; worth nothing to others
	Hash  CodeHash
	Owner chat.UserID
	Chat  chat.ID // where the owner was given it, and is told of the link
	Lang  string  // of the owner
	Made  time.Time
	Until time.Time // it cannot be used from then on

	Used  time.Time // zero: not yet
	Token [32]byte  // Used: the hash of the token of the link
	Link  string    // Used: the name of the link
	Host  string    // Used: what the machine calls itself
	Told  bool      // Used: the owner knows of the link
}

// NewLinkCode makes a code, which is told to its owner and kept nowhere: 24 random bytes in hexadecimal,
// which no shell or flag reads as anything else.
func NewLinkCode(now time.Time, owner chat.UserID, in chat.ID, lang string) (LinkCode, secret.Text) {
	var b [24]byte
	rand.Read(b[:]) // never fails: crypto/rand
	code := hex.EncodeToString(b[:])
	return LinkCode{
		ID: question.NewID(), Hash: HashCode(code), Owner: owner, Chat: in, Lang: lang, Made: now, Until: now.Add(LinkCodeFor),
	}, secret.Text(code)
}

// IsOpen reports whether the code can be used at this time.
func (c LinkCode) IsOpen(at time.Time) bool { return c.Used.IsZero() && at.Before(c.Until) }
