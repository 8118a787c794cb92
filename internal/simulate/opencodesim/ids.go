package opencodesim

import (
	"fmt"
	"math/rand/v2"
	"time"
)

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// minter makes identifiers of OpenCode's form: a prefix, twelve hex digits of
// the low 48 bits of (milliseconds × 4096 + counter) and fourteen characters of
// base62. It must be used under the Simulator's lock.
type minter struct {
	millis  int64
	counter int64
}

// ascending is used for everything but sessions: later ids sort after earlier.
func (m *minter) ascending(prefix string) string {
	return fmt.Sprintf("%s_%012x%s", prefix, m.next(), suffix())
}

// descending is used for sessions: later ids sort before earlier.
func (m *minter) descending(prefix string) string {
	return fmt.Sprintf("%s_%012x%s", prefix, ^m.next()&(1<<48-1), suffix())
}

func (m *minter) next() uint64 {
	if now := time.Now().UnixMilli(); now > m.millis {
		m.millis, m.counter = now, 0
	}
	m.counter++
	return uint64(m.millis*4096+m.counter) & (1<<48 - 1)
}

func suffix() string {
	b := make([]byte, 14)
	for i := range b {
		b[i] = base62[rand.IntN(len(base62))]
	}
	return string(b)
}
