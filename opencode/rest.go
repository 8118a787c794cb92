package opencode

import (
	"context"
	"sync"
	"time"
)

// disposeGap is how long nothing is asked of an OpenCode after it disposed an instance.
// What it is asked for that directory while it still puts the instance away can be cut off in
// the middle of making it anew, and then that part of it (questions, agents, prompts)
// answers 503, or nothing comes of it, until the next dispose or restart. Measured on
// 1.18.33 on a busy machine, some milliseconds after server.instance.disposed, the end of
// /event and the answer to the dispose: one of fifteen times.
const disposeGap = 2 * time.Second

// rest is a time in which nothing is asked. It is safe for concurrent use; nil: there is
// none.
type rest struct {
	mu    sync.Mutex
	until time.Time
}

func (r *rest) begin(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.until = time.Now().Add(d)
}

// over waits until the rest is over. The error is ctx's.
func (r *rest) over(ctx context.Context) error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	left := time.Until(r.until)
	r.mu.Unlock()
	if left <= 0 {
		return nil
	}
	return after(ctx, left)
}
