package opencode

import (
	"context"
	"net/url"
	"sync"
	"time"
)

// disposeGap is how long nothing is asked for a directory after its instance was disposed.
// What it is asked for that directory while it still puts the instance away can be cut off in
// the middle of making it anew, and then that part of it (questions, agents, prompts)
// answers 503, or nothing comes of it, until the next dispose or restart. Measured on
// 1.18.33 on a busy machine, some milliseconds after server.instance.disposed, the end of
// /event and the answer to the dispose: one of fifteen times.
const disposeGap = 2 * time.Second

// rest is a time in which nothing is asked for some directories of an OpenCode. It is safe
// for concurrent use; nil: there is none.
type rest struct {
	mu    sync.Mutex
	until map[string]time.Time // by directory; empty: all of them
}

// begin lets a directory rest; empty: all of them.
func (r *rest) begin(directory string, d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	until := map[string]time.Time{}
	for other, at := range r.until {
		if time.Until(at) > 0 {
			until[other] = at
		}
	}
	if _, known := until[directory]; !known && len(until) >= maxDirectories {
		directory, until = "", map[string]time.Time{}
	}
	until[directory] = time.Now().Add(d)
	r.until = until
}

// over waits until the directory does not rest, and returns ctx's error. What is asked
// without a directory waits for all of them, as OpenCode chooses which it is for.
func (r *rest) over(ctx context.Context, directory string) error {
	for r != nil {
		left := r.left(directory)
		if left <= 0 {
			return nil
		}
		if err := after(ctx, left); err != nil {
			return err
		}
	}
	return nil
}

func (r *rest) left(directory string) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	var left time.Duration
	for d, at := range r.until {
		if d == directory || d == "" || directory == "" {
			left = max(left, time.Until(at))
		}
	}
	return left
}

// directoryOf is the directory that a call is for; empty: OpenCode chooses it.
func directoryOf(query url.Values) string {
	if d := query.Get("directory"); d != "" {
		return d
	}
	return query.Get("location[directory]")
}
