package opencode

import (
	"context"
	"sync"
)

// listings runs the listings of an instance, one at a time and beside everything else.
// Safe for concurrent use.
type listings struct {
	life context.Context // ends when no listing begins any more
	end  context.CancelFunc
	all  sync.WaitGroup

	mu      sync.Mutex
	running bool
	again   bool // another one is to follow
}

func newListings() *listings {
	l := &listings{}
	l.life, l.end = context.WithCancel(context.Background())
	return l
}

// start runs list. If that runs already, it runs once more behind that if it must. Its
// context ends with ctx, or when the listings stop.
func (l *listings) start(ctx context.Context, must bool, list func(context.Context)) {
	if !l.begin(must) {
		return
	}
	go func() {
		defer l.all.Done()
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(l.life, stop)()
		for again := true; again; again = l.startsAgain() && ctx.Err() == nil {
			list(ctx)
		}
	}()
}

func (l *listings) begin(must bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running || l.life.Err() != nil {
		l.again = l.again || must
		return false
	}
	l.running = true
	l.all.Add(1)
	return true
}

func (l *listings) startsAgain() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running, l.again = l.again, false
	return l.running
}

// stop ends what runs, and returns when it has ended. None begins from then on.
func (l *listings) stop() {
	l.mu.Lock()
	l.end()
	l.mu.Unlock()
	l.all.Wait()
}
