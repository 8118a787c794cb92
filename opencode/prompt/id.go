package v1

import (
	"context"
	"crypto/rand"
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

// NewMessageID makes an id for a prompt that sorts after the message after, if that is
// one, and is no earlier than now; a zero now makes it the very next.
func NewMessageID(after session.MessageID, now time.Time) session.MessageID {
	var at uint64
	if !now.IsZero() {
		at = uint64(now.UnixMilli()) * 4096 & stampMask
	}
	if last, ok := stampOf(string(after)); ok {
		at = max(at, last)
	}
	return session.MessageID(newID("msg", at+1, randomSuffix()))
}

// NextID makes the id of the session's next prompt. It must be made just before the
// prompt is sent: one that sorts before the session's last message makes 1.1.53 keep
// the prompt and never read it, and one that is later than OpenCode's clock makes it
// answer again and again until its clock has passed it. (Newer versions mind neither.)
// So for an idle session it is the one after its last message, or after the session's
// own, whatever hermes' clock says; only for one that works it is of the time now.
func (d *Driver) NextID(ctx context.Context, id session.ID) (session.MessageID, error) {
	s, err := d.Session(ctx, id)
	if err != nil {
		return "", err
	}
	last, err := d.latestMessage(ctx, id)
	if err != nil {
		return "", err
	}
	now := time.Time{}
	if s.Busy {
		now = time.Now().Add(d.ahead)
	}
	if made, ok := stampOf(string(id)); ok && last == "" {
		last = session.MessageID(newID("msg", ^made&stampMask, randomSuffix()))
	} else if !ok && last == "" {
		now = time.Now().Add(d.ahead)
	}
	return NewMessageID(last, now), nil
}

// latestMessage is the latest message of the session, empty if there is none.
func (d *Driver) latestMessage(ctx context.Context, id session.ID) (session.MessageID, error) {
	list, err := d.LastMessages(ctx, id)
	var last session.MessageID
	for _, m := range list {
		last = max(last, session.MessageID(m.Info.ID))
	}
	return last, noSession(err)
}

// partID names the nth part of a prompt, the same whenever it is sent. OpenCode lists
// parts by their ids, so these go up.
func partID(message session.MessageID, n int) string {
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
	for i := range b {
		b[i] = base62[int(b[i])%len(base62)]
	}
	return string(b[:])
}
