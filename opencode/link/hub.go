package link

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"
)

// Config says what a Hub does. A nil function is not called; a zero duration is its default.
//
// For one link the functions are called one at a time: Opened, then Event in the order of the plugin's events, then Closed, once.
// They hold up the plugin's request, so they must be quick, and must not wait for a call on that link: the plugin does not poll
// before Opened has returned.
type Config struct {
	Opened func(*Link)
	// Event is given each event as {"type":…,"properties":…}: those of OpenCode that the plugin forwards, tool.execute.before for
	// the tool "question" and hermes.listed. It is always a JSON object, but nothing else about it has been checked.
	//
	// tool.execute.before comes before OpenCode validates the arguments (measured on 1.1.53 and 1.18.33), so the question may never
	// come to be: then message.part.updated follows with the same callID and the state "error".
	Event  func(*Link, json.RawMessage)
	Closed func(*Link)
	// Refused is given what a plugin of another protocol said, so far as it can be read; the rest is empty. It may be called for
	// several plugins at once.
	Refused func(Hello)

	Remote bool // whether the plugin is told that people may drive OpenCode's sessions

	Poll        time.Duration // how long a poll without calls is held; default 25 s
	Grace       time.Duration // without a poll for so long, a link is lost; default 10 s
	BrokenGrace time.Duration // the same after a poll whose connection broke; default 2 s
}

// Hub keeps the open links. It is an http.Handler for the paths under /v1/link, to be wrapped in Guard, and safe for concurrent
// use. It starts no goroutine of its own.
type Hub struct {
	config Config
	mux    *http.ServeMux

	mu       sync.Mutex
	links    map[string]*Link
	shut     bool
	followed following
}

// New returns a Hub without links.
func New(config Config) *Hub {
	config.Poll = orDefault(config.Poll, 25*time.Second)
	config.Grace = orDefault(config.Grace, 10*time.Second)
	config.BrokenGrace = orDefault(config.BrokenGrace, 2*time.Second)
	h := &Hub{config: config, mux: http.NewServeMux(), links: make(map[string]*Link), followed: following{Sessions: []string{}}}
	h.mux.HandleFunc("POST /v1/link", h.open)
	h.mux.HandleFunc("GET /v1/link/{id}/calls", h.onLink(h.calls))
	h.mux.HandleFunc("POST /v1/link/{id}/results", h.onLink(h.results))
	h.mux.HandleFunc("POST /v1/link/{id}/events", h.onLink(h.events))
	return h
}

func orDefault(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}

// ServeHTTP implements http.Handler.
func (h *Hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mux.ServeHTTP(w, r)
}

// Close ends every link with the reason Stopping and refuses new ones. Call it before http.Server.Shutdown, which waits for the
// polls that Close ends. Closed has returned for every link when Close returns.
func (h *Hub) Close() {
	h.mu.Lock()
	h.shut = true
	links := make([]*Link, 0, len(h.links))
	for _, l := range h.links {
		links = append(links, l)
	}
	h.mu.Unlock()
	for _, l := range links {
		h.close(l, Stopping)
	}
}

// add makes l known and returns the links that it replaces; already closed to the plugin, but Closed not called.
func (h *Hub) add(l *Link) (replaced []*Link, refused string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.shut {
		return nil, "hermes is stopping; open the link again in a moment"
	}
	for _, old := range h.links {
		if old.hello.Process == l.hello.Process && old.hello.Directory == l.hello.Directory {
			replaced = append(replaced, old)
		}
	}
	if len(h.links)-len(replaced) >= maxLinks {
		return nil, "hermes already keeps as many links as it can; close an OpenCode"
	}
	for _, old := range replaced {
		delete(h.links, old.id)
	}
	h.links[l.id] = l
	return replaced, ""
}

// close ends l unless something else has done so.
func (h *Hub) close(l *Link, why Reason) {
	h.mu.Lock()
	known := h.links[l.id] == l
	delete(h.links, l.id)
	h.mu.Unlock()
	if known {
		h.finish(l, why)
	}
}

// finish tells the callers and then the owner that l, no longer in links, has ended.
func (h *Hub) finish(l *Link, why Reason) {
	l.end(why)
	l.order.Lock()
	defer l.order.Unlock()
	if h.config.Closed != nil {
		h.config.Closed(l)
	}
}

// lost is called by the timer of a link that was not polled for too long.
func (h *Hub) lost(l *Link, poll int) {
	if l.unpolled(poll) {
		h.close(l, Lost)
	}
}

// grace is the time for the next poll after one whose request has this context.
func (h *Hub) grace(ctx context.Context) time.Duration {
	if ctx.Err() != nil {
		return h.config.BrokenGrace
	}
	return h.config.Grace
}
