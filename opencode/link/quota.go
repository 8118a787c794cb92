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
	maxHellos       = 16 << 20        // bytes of the hellos of its open links
	maxBodies       = 16 << 20        // bytes of request bodies being read and handled at a time; others wait
	openBurst       = 256             // links opened at once
	openEvery       = 2 * time.Second // and one more after each
)

// usage is what the links of one token use now. Its numbers are guarded by the Hub's lock.
type usage struct {
	links    int
	hellos   int // bytes
	requests int
	bodies   *semaphore.Weighted
}

// usageOf gives the usage of a token; the caller has the Hub's lock.
func (h *Hub) usageOf(token string) *usage {
	u := h.usage[token]
	if u == nil {
		u = &usage{bodies: semaphore.NewWeighted(maxBodies)}
		h.usage[token] = u
	}
	return u
}

// overQuota is a sentence if the token of l may not open it besides those that stay; empty if it may. The caller has the Hub's lock.
func (h *Hub) overQuota(l *Link, replaced []*Link) string {
	u, most := h.usageOf(l.hello.Token), maxLinksOfToken
	if l.hello.Token == "" {
		most = maxLinksOfAPI
	}
	links, hellos := u.links, u.hellos
	for _, old := range replaced {
		if old.hello.Token == l.hello.Token {
			links, hellos = links-1, hellos-old.size
		}
	}
	switch {
	case l.hello.Kind == Service && len(replaced) == 0 && h.countServices(l.hello.Token) >= maxServices:
		return fmt.Sprintf("this token has opened %d links of services, and no more are allowed; give each machine a token of its own", maxServices)
	case links >= most:
		return fmt.Sprintf("this token has opened %d links, and no more are allowed; close an OpenCode", links)
	case hellos+l.size > maxHellos:
		return fmt.Sprintf("the links of this token have told more than %d MiB of open asks; answer some", maxHellos>>20)
	}
	return ""
}

// countServices counts the open links of services that have a token. The caller has the Hub's lock.
func (h *Hub) countServices(token string) (n int) {
	for _, l := range h.links {
		if l.hello.Token == token && l.hello.Kind == Service {
			n++
		}
	}
	return n
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
	u := h.usageOf(token)
	if u.requests >= h.config.Requests {
		return nil, false
	}
	u.requests++
	return u.bodies, true
}

func (h *Hub) endRequest(token string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.usageOf(token).requests--
	h.forgetUnused(token)
}

// forgetUnused drops the usage of a token that uses nothing. The caller has the Hub's lock.
func (h *Hub) forgetUnused(token string) {
	if u := h.usage[token]; u != nil && u.links == 0 && u.requests == 0 {
		delete(h.usage, token)
	}
}
