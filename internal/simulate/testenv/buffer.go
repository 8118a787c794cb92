package testenv

import (
	"bytes"
	"sync"
)

// LockedBuffer is a buffer that is safe for concurrent use. The zero value is empty.
type LockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write appends; it does not fail.
func (b *LockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

// String is all that was written.
func (b *LockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
