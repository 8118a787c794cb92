package link

import (
	"fmt"
	"net/http"
	"time"

	"golang.org/x/sync/semaphore"
)

// What one token may use, so that a noisy machine keeps no other one out. Config.Requests bounds its requests.
const (
	maxLinksOfToken = 64              // open links
	maxServices     = 4               // of them those of services of OpenCode 2: one for each of a machine's users is meant to have a token of its own
	maxLinksOfAPI   = 256             // open links with the API's token: of plugins from before links had tokens
	maxBodies       = 16 << 20        // bytes of request bodies being read and handled at a time; others wait
	openBurst       = 256             // links opened at once
	openEvery       = 2 * time.Second // and one more after each
)

// usage is what the requests of one token use now. The Hub's lock guards its number.
type usage struct {
	requests int
	bodies   *semaphore.Weighted
}

// overQuota is a sentence if the token of l may not open it besides those that stay; empty if it may. The caller has the Hub's lock.
func (h *Hub) overQuota(l *Link, replaced []*Link) string {
	links, services, most := 1-len(replaced), 1-len(replaced), maxLinksOfToken
	for _, other := range h.links {
		if other.hello.Token == l.hello.Token {
			links++
			if other.hello.Kind == Service {
				services++
			}
		}
	}
	if l.hello.Token == "" {
		most = maxLinksOfAPI
	}
	switch {
	case l.hello.Kind == Service && services > maxServices:
		return fmt.Sprintf("this token has opened %d links of services, and no more are allowed; give each machine a token of its own", maxServices)
	case links > most:
		return fmt.Sprintf("this token has opened %d links, and no more are allowed; close an OpenCode", most)
	}
	return ""
}

// withinQuota lets a token's requests through while they are few enough, and while their bodies, together, are small enough to be held
// in memory: those that are not wait.
func (h *Hub) withinQuota(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		token := tokenOf(r)
		bodies, ok := h.beginRequest(token)
		if !ok {
			refuse(w, http.StatusTooManyRequests, "this token makes too many requests at a time")
			return
		}
		defer h.endRequest(token)
		size := r.ContentLength
		if size < 0 || size > MaxBody {
			size = MaxBody
		}
		if size > 0 && bodies.Acquire(r.Context(), size) != nil {
			return // the plugin has gone
		}
		defer bodies.Release(size)
		next(w, r)
	}
}

func (h *Hub) beginRequest(token string) (bodies *semaphore.Weighted, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	u := h.usage[token]
	if u == nil {
		u = &usage{bodies: semaphore.NewWeighted(maxBodies)}
		h.usage[token] = u
	}
	if u.requests >= h.config.Requests {
		return nil, false
	}
	u.requests++
	return u.bodies, true
}

func (h *Hub) endRequest(token string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	u := h.usage[token]
	if u.requests--; u.requests == 0 {
		delete(h.usage, token)
	}
}
