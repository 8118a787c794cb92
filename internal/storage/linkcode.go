package storage

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/secret"
)

// LinkCodeFor is how long a code for a machine can be used.
const LinkCodeFor = 10 * time.Minute

// TokenHash is the SHA-256 of the token of a link. It is stored in hexadecimal.
type TokenHash [sha256.Size]byte

func (h TokenHash) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, h[:]), nil }

func (h *TokenHash) UnmarshalText(text []byte) error {
	raw, err := hex.DecodeString(string(text))
	if err != nil || len(raw) != len(h) {
		return errors.New("its hash is none")
	}
	copy(h[:], raw)
	return nil
}

// LinkCode makes one link, that of a machine of the person to whom it was given. Only the hash of it is kept.
type LinkCode struct {
	ID    question.ID `json:"id"` // names it in the journal; worth nothing to others
	Hash  CodeHash    `json:"-"`
	Owner chat.UserID `json:"owner"`
	Chat  chat.ID     `json:"chat"`          // where the owner was given it, and is told of the link
	Lang  string      `json:"lang,omitzero"` // of the owner
	Made  time.Time   `json:"made,omitzero"`
	Until time.Time   `json:"until,omitzero"` // it cannot be used from then on

	Used  time.Time `json:"used,omitzero"`  // zero: not yet
	Token TokenHash `json:"token,omitzero"` // Used: the hash of the token of the link
	Link  string    `json:"link,omitzero"`  // Used: the name of the link
	Host  string    `json:"host,omitzero"`  // Used: what the machine calls itself
	Told  bool      `json:"told,omitzero"`  // Used: the owner knows of the link
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
