package opencode

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"hermes/opencode/link"
)

const (
	// refusedFor is how long a plugin that was refused counts as there: it tries
	// again every 30 s at the latest.
	refusedFor = 2 * time.Minute
	maxRefused = 64 // plugins that are remembered
)

// refusedPlugins remembers the plugins that speak another protocol: their OpenCode runs, and
// cannot ask. The zero value is ready. Safe for concurrent use.
type refusedPlugins struct {
	mu   sync.Mutex
	last map[pluginKey]refusal
}

type pluginKey struct{ host, directory string }

type refusal struct {
	hello link.Hello
	at    time.Time
}

// add reports whether the plugin was not known already. Beyond maxRefused it is
// counted as known.
func (r *refusedPlugins) add(h link.Hello, now time.Time) (fresh bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.removeOld(now)
	k := pluginKey{h.Host, h.Directory}
	_, known := r.last[k]
	if !known && len(r.last) == maxRefused {
		return false
	}
	if r.last == nil {
		r.last = map[pluginKey]refusal{}
	}
	r.last[k] = refusal{h, now}
	return !known
}

// remove forgets a plugin in whose place another one was taken.
func (r *refusedPlugins) remove(h link.Hello) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.last, pluginKey{h.Host, h.Directory})
}

func (r *refusedPlugins) list(now time.Time) []link.Hello {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.removeOld(now)
	var list []link.Hello
	for _, one := range r.last {
		list = append(list, one.hello)
	}
	return sortHellos(list)
}

func (r *refusedPlugins) removeOld(now time.Time) {
	for k, one := range r.last {
		if now.Sub(one.at) > refusedFor {
			delete(r.last, k)
		}
	}
}

func sortHellos(list []link.Hello) []link.Hello {
	slices.SortStableFunc(list, func(a, b link.Hello) int {
		return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.Directory, b.Directory), cmp.Compare(a.Process, b.Process))
	})
	return list
}
