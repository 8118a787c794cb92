package postgres

import (
	"context"
	"math/rand/v2"
	"time"

	"hermes/internal/retry"
)

// pause is the wait between two tries: a random one, which grows to a quarter of a second.
type pause struct{ longest time.Duration }

// wait reports false when ctx ended before.
func (p *pause) wait(ctx context.Context) bool {
	p.longest = min(max(2*p.longest, 4*time.Millisecond), 250*time.Millisecond)
	return retry.Wait(ctx, p.longest/2+rand.N(p.longest/2)) == nil
}
