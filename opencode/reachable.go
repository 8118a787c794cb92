package opencode

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"

	"hermes/internal/event"
	"hermes/internal/session"
)

// ways is what the ways into OpenCode have in common.
type ways struct {
	emit             func(event.Event) // may block
	log              *slog.Logger
	untested         *untested
	reachable        *reachable
	background       *backgroundService // nil: it is not looked for
	links            *openLinks
	followed         followedSessions
	knownDirectories func(server session.Origin) []string // in which hermes knows of an open question
}

// originKey identifies an origin.
type originKey struct {
	way                session.Way
	process, directory string
}

func keyOf(o session.Origin) originKey { return originKey{o.Way, o.Process, o.Directory} }

// reachable are the instances that can be reached. Safe for concurrent use.
type reachable struct {
	log *slog.Logger

	mu        sync.Mutex
	instances map[originKey]*instance
}

func newReachable(log *slog.Logger) *reachable {
	return &reachable{log: log, instances: map[originKey]*instance{}}
}

func (r *reachable) get(o session.Origin) (*instance, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i, ok := r.instances[keyOf(o)]
	return i, ok
}

func (r *reachable) add(i *instance) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.instances[keyOf(i.origin)] = i
}

// remove makes the instance unreachable. It reports false if another one has replaced it.
func (r *reachable) remove(i *instance) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	mine := r.instances[keyOf(i.origin)] == i
	if mine {
		delete(r.instances, keyOf(i.origin))
	}
	return mine
}

// removeAs stops the instance and emits that it cannot be reached any more, unless another
// one has replaced it.
func (r *reachable) removeAs(i *instance, kind event.Kind) {
	if r.remove(i) {
		i.stopAs(kind)
	}
}

// origins are sorted by directory.
func (r *reachable) origins() []session.Origin {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := make([]session.Origin, 0, len(r.instances))
	for _, i := range r.instances {
		list = append(list, i.origin)
	}
	slices.SortStableFunc(list, func(a, b session.Origin) int {
		return cmp.Or(cmp.Compare(a.Directory, b.Directory), cmp.Compare(a.Way, b.Way), cmp.Compare(a.Process, b.Process))
	})
	return list
}

// relist lists again what waits, where something waits or nothing was listed yet. It does
// not wait for the listings: an OpenCode that does not answer delays no other.
func (r *reachable) relist() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, i := range r.instances {
		if !i.asks.isKnownEmpty() {
			go r.startListing(i, false)
		}
	}
}

// startListing lists what waits, behind what was heard before. Unless it must be, it is left out where a listing is under way
// or waits for its turn.
func (r *reachable) startListing(i *instance, must bool) {
	for n := int32(0); !i.listings.CompareAndSwap(n, n+1); {
		if n = i.listings.Load(); n > 1 || n == 1 && !must {
			return // one follows
		}
	}
	i.inOrder.add(func() {
		r.note(i, i.refresh(i.life))
		i.listings.Add(-1)
	})
}

// list lists what waits.
func (r *reachable) list(ctx context.Context, i *instance) error {
	err := i.list(ctx)
	r.note(i, err)
	return err
}

// note logs a listing that failed for debugging: the connection reports it too.
func (r *reachable) note(i *instance, err error) {
	if err != nil {
		r.log.Debug("cannot list what waits", "directory", i.origin.Directory, "err", err)
	}
}
