package prompt

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
	"time"

	"hermes/internal/session"
)

// An id of OpenCode is a prefix, 12 hexadecimal digits of the low 48 bits of
// milliseconds × 4096 + counter, and 14 characters of base62. In sessions' ids the
// bits of that number are turned over.
const (
	stampDigits  = 12
	stampMask    = 1<<(4*stampDigits) - 1
	suffixLength = 14
	base62       = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// NewID makes an id for a prompt that sorts after the message after, if that is
// one, and is no earlier than now; a zero now makes it the very next.
func NewID(after session.MessageID, now time.Time) session.MessageID {
	var at uint64
	if !now.IsZero() {
		at = uint64(now.UnixMilli()) * 4096 & stampMask
	}
	if last, ok := stampOf(string(after)); ok {
		at = max(at, last)
	}
	return session.MessageID(newID("msg", at+1, randomSuffix()))
}

// NextID makes the id of a session's next prompt, behind its last message; empty: it has none.
// For an idle session that is the very next id, after its last message or after the session
// itself, whatever hermes' clock says; only for one that works it is no earlier than now, which
// is OpenCode's time.
func NextID(id session.ID, last session.MessageID, busy bool, now time.Time) session.MessageID {
	at := time.Time{}
	if busy {
		at = now
	}
	if made, ok := stampOf(string(id)); ok && last == "" {
		last = session.MessageID(newID("msg", ^made&stampMask, randomSuffix()))
	} else if !ok && last == "" {
		at = now
	}
	return NewID(last, at)
}

// NewSessionID makes the id of a session that was made at a moment, in whole milliseconds, for
// a purpose: the same one for the same moment and purpose, in the form that OpenCode gives to
// its own.
func NewSessionID(at time.Time, purpose string) session.ID {
	sum := sha256.Sum256([]byte(strconv.FormatInt(at.UnixMilli(), 10) + " " + purpose))
	return session.ID(newID("ses", ^(uint64(at.UnixMilli())*4096)&stampMask, inBase62(sum[:suffixLength])))
}

// PartID names the nth part of a prompt, the same whenever it is sent. OpenCode lists
// parts by their ids, so these go up.
func PartID(message session.MessageID, n int) string {
	at, ok := stampOf(string(message))
	if !ok {
		return ""
	}
	return newID("prt", at+uint64(n), string(message[len(message)-suffixLength:]))
}

func newID(prefix string, at uint64, suffix string) string {
	return fmt.Sprintf("%s_%0*x%s", prefix, stampDigits, at&stampMask, suffix)
}

// stampOf reads the number of an id of OpenCode's form.
func stampOf(id string) (uint64, bool) {
	_, rest, ok := strings.Cut(id, "_")
	if !ok || len(rest) != stampDigits+suffixLength {
		return 0, false
	}
	at, err := strconv.ParseUint(rest[:stampDigits], 16, 64)
	return at, err == nil
}

func randomSuffix() string {
	var b [suffixLength]byte
	rand.Read(b[:]) // never fails: crypto/rand
	return inBase62(b[:])
}

// inBase62 is a character for each byte.
func inBase62(bytes []byte) string {
	text := make([]byte, len(bytes))
	for i, b := range bytes {
		text[i] = base62[int(b)%len(base62)]
	}
	return string(text)
}
