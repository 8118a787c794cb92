package link

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"regexp"

	"hermes/internal/secret"
)

// tokenPrefix tells a link's token from hermes' API token, whatever the latter is.
const tokenPrefix = "hermes_link_"

var tokenForm = regexp.MustCompile(`^` + tokenPrefix + `[A-Za-z0-9_-]{43}$`)

// Hash is the SHA-256 of a link's token. It is what hermes keeps: a token is 256 random bits, so nothing leads back to it.
type Hash = [sha256.Size]byte

// NewToken makes the token of a link. Whoever has it can open links, tell what is asked there and carry out hermes' calls, and
// nothing else.
func NewToken() secret.Text {
	var b [32]byte
	rand.Read(b[:]) // never fails: crypto/rand
	return secret.Text(tokenPrefix + base64.RawURLEncoding.EncodeToString(b[:]))
}

// IsToken reports whether a text has the form of a link's token. No other token of hermes has it.
func IsToken(t secret.Text) bool { return tokenForm.MatchString(t.Reveal()) }

// HashOf is the hash under which a token is kept.
func HashOf(t secret.Text) Hash { return sha256.Sum256([]byte(t.Reveal())) }
