// Package opencodeid makes identifiers as OpenCode makes them.
package opencodeid

import (
	"fmt"
	"math/rand/v2"
	"time"
)

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// Minter makes identifiers of OpenCode's form: a prefix, twelve hex digits of
// the low 48 bits of (milliseconds × 4096 + counter) and fourteen characters of
// base62. The zero value is ready; it is not safe for concurrent use.
type Minter struct {
	millis  int64
	counter int64
}

// Ascending is used for everything but sessions: later ids sort after earlier.
func (m *Minter) Ascending(prefix string) string {
	return fmt.Sprintf("%s_%012x%s", prefix, m.Next(), suffix())
}

// Descending is used for sessions: later ids sort before earlier.
func (m *Minter) Descending(prefix string) string {
	return fmt.Sprintf("%s_%012x%s", prefix, ^m.Next()&(1<<48-1), suffix())
}

// Next is the number of the next identifier: 48 bits, larger than every one before.
func (m *Minter) Next() uint64 {
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
