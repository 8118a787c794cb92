package call

import (
	"context"
	"net/url"
	"sync"
	"time"

	"hermes/internal/retry"
)

// Pauses are times in which some directories of an OpenCode process are not called. The
// zero value has none. It is safe for concurrent use; nil has none and takes none.
type Pauses struct {
	mu    sync.Mutex
	until map[string]time.Time // by directory; empty: all of them
}

// maxPauses bounds for how many directories a pause is kept apart from the others'.
const maxPauses = 1000

// Begin pauses calls for a directory; empty: for all of them.
func (p *Pauses) Begin(directory string, d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	until := map[string]time.Time{}
	for other, at := range p.until {
		if time.Until(at) > 0 {
			until[other] = at
		}
	}
	if _, known := until[directory]; !known && len(until) >= maxPauses {
		directory, until = "", map[string]time.Time{}
	}
	until[directory] = time.Now().Add(d)
	p.until = until
}

// Wait returns when the directory may be called, or ctx's error. A call without a
// directory waits for all of them, as OpenCode chooses which it is for.
func (p *Pauses) Wait(ctx context.Context, directory string) error {
	for p != nil {
		left := p.timeLeft(directory)
		if left <= 0 {
			return nil
		}
		if err := retry.Wait(ctx, left); err != nil {
			return err
		}
	}
	return nil
}

func (p *Pauses) timeLeft(directory string) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	var left time.Duration
	for d, at := range p.until {
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
