package ask

import (
	"context"
	"sync"
	"time"

	"hermes/internal/mcp"
)

// progressEvery is how often a client hears that people are still thinking. Clients
// that count progress as life give up after 30 s and more without any.
const progressEvery = 5 * time.Second

// progress tells a client that gave a token how long it has waited, of how long at
// most, in seconds.
type progress struct {
	call  *mcp.Call
	began time.Time
	ended chan struct{}

	mu       sync.Mutex
	deadline *time.Time
	reached  bool
}

// startProgress notifies the client until ctx ends. Without a token it does nothing.
func startProgress(ctx context.Context, c *mcp.Call) *progress {
	p := &progress{call: c, began: time.Now(), ended: make(chan struct{}), reached: true}
	if !c.WantsProgress() {
		close(p.ended)
		return p
	}
	go p.run(ctx)
	return p
}

// update sets what the next notification says.
func (p *progress) update(r Result, reached bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.deadline, p.reached = r.Deadline, reached
}

// waitDone returns after the last notification: the protocol wants none after the result.
func (p *progress) waitDone() { <-p.ended }

func (p *progress) run(ctx context.Context) {
	defer close(p.ended)
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		// A client that cannot be told is one that has gone, which ends ctx.
		_ = p.call.Tell(ctx, p.at(time.Now()))
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func (p *progress) at(now time.Time) mcp.Progress {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := mcp.Progress{Done: now.Sub(p.began).Seconds(), Message: "Waiting for an answer"}
	if !p.reached {
		n.Message = "Waiting for hermes, which does not answer now"
	}
	if p.deadline != nil {
		n.Total = max(n.Done, p.deadline.Sub(p.began).Seconds())
		n.Message += " · " + max(0, p.deadline.Sub(now)).Round(time.Second).String() + " left"
	}
	return n
}
