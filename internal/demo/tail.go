package demo

import (
	"io"
	"slices"
	"strings"
	"sync"
)

// logTail is a writer that keeps the last lines. It may be used concurrently.
type logTail struct {
	mu    sync.Mutex
	lines []string
	keep  int
}

func (t *logTail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for line := range strings.Lines(string(p)) {
		t.lines = append(t.lines, strings.TrimRight(line, "\n"))
	}
	t.lines = slices.Clone(t.lines[max(0, len(t.lines)-t.keep):])
	return len(p), nil
}

// lastLines returns the lines that are kept, oldest first.
func (t *logTail) lastLines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]string{}, t.lines...)
}

// logGate lets through what is written while it is open.
type logGate struct {
	to   io.Writer
	open func() bool
}

func (g logGate) Write(p []byte) (int, error) {
	if !g.open() {
		return len(p), nil
	}
	return g.to.Write(p)
}
