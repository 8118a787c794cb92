package link

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"hermes/internal/pace"
)

// Config says what a Hub does. A nil function is not called; a zero duration is its default.
//
// For one link the functions are called one at a time: Opened, then Event in the order of the plugin's events, then Closed, once.
// They hold up the plugin's request, so they must be quick, and must not wait for a call on that link: the plugin does not poll
// before Opened has returned.
type Config struct {
	Opened func(*Link)
	// Event is given each event as {"type":…,"properties":…}: those of OpenCode that the plugin forwards. It is always a JSON object, but
	// nothing else about it has been checked.
	Event  func(*Link, json.RawMessage)
	Closed func(*Link)
	// Refused is given what a plugin of another protocol said, so far as it can be read; the rest is empty. It may be called for
	// several plugins at once.
	Refused func(Hello)
	// Full is given what a plugin said whose link was refused because as many are open as the Hub takes. It may be called for several
	// plugins at once.
	Full func(Hello)
	// Name is what the link of a token is called, by its id; it is told to who has the token. nil: its id.
	Name func(id string) string
	// Valid reports whether a token, by its link's id, still counts when a link that it opens is made known: it may have been revoked
	// since the request was let through. It must not call the Hub. nil: they all do.
	Valid func(token string) bool
	// Seen is called for a link when it opens, at every poll and when it ends; it may be called for several links at once, and for
	// one of them twice at a time.
	Seen func(*Link)

	Links    int // open at once, of all tokens; each holds a connection; default 4096
	Requests int // of one token at a time, long polls included; default 512

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
	usage    map[string]*usage // by the id of a token's link
	opening  pace.Each[string] // likewise
	shut     bool
	followed FollowList
}

// New returns a Hub without links.
func New(config Config) *Hub {
	config.Poll = orDefault(config.Poll, 25*time.Second)
	config.Grace = orDefault(config.Grace, 10*time.Second)
	config.BrokenGrace = orDefault(config.BrokenGrace, 2*time.Second)
	config.Requests = cmp.Or(config.Requests, 512)
	config.Links = cmp.Or(config.Links, maxLinks)
	h := &Hub{
		config: config, mux: http.NewServeMux(), links: make(map[string]*Link), usage: make(map[string]*usage), opening: pace.Each[string]{Burst: openBurst, Every: openEvery},
		followed: FollowList{Sessions: []string{}},
	}
	for pattern, serve := range h.routes() {
		h.mux.HandleFunc(pattern, serve)
	}
	return h
}

// routes are the paths that the token of a link opens.
func (h *Hub) routes() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"GET /v1/link":               h.serveName,
		"POST /v1/link":              h.withinQuota(h.serveOpen),
		"GET /v1/link/{id}/calls":    h.withinQuota(h.onLink(h.serveCalls)),
		"POST /v1/link/{id}/results": h.withinQuota(h.onLink(h.serveResults)),
		"POST /v1/link/{id}/events":  h.withinQuota(h.onLink(h.serveEvents)),
	}
}

// Patterns are the methods and paths that a Hub serves, as http.ServeMux has them, in no order.
func Patterns() []string { return slices.Collect(maps.Keys((&Hub{}).routes())) }

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
	h.mu.Unlock()
	h.closeAll(Stopping, func(*Link) bool { return true })
}

// Drop ends a link with the reason Lost: what opened it opens it again. Closed has returned when Drop returns, unless the link has ended already.
func (h *Hub) Drop(l *Link) { h.closeLink(l, Lost) }

// Revoke ends the links that were opened with the token of the link of this id, with the reason Revoked. The token itself is for Access to
// refuse, before Revoke is called, so that no link opens meanwhile. Closed has returned for each when Revoke returns.
func (h *Hub) Revoke(token string) {
	h.closeAll(Revoked, func(l *Link) bool { return l.hello.Token == token })
}

func (h *Hub) closeAll(why Reason, which func(*Link) bool) {
	h.mu.Lock()
	var links []*Link
	for _, l := range h.links {
		if which(l) {
			links = append(links, l)
		}
	}
	h.mu.Unlock()
	for _, l := range links {
		h.closeLink(l, why)
	}
}

// errFull refuses a link when there are as many as the Hub takes.
var errFull = refusal{http.StatusServiceUnavailable, "hermes already keeps as many links as it can; close an OpenCode"}

// addLink makes l known and returns the links that it replaces; already closed to the plugin, but Closed not called.
func (h *Hub) addLink(l *Link) (replaced []*Link, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.shut {
		return nil, refusal{http.StatusServiceUnavailable, "hermes is stopping; open the link again in a moment"}
	}
	if h.config.Valid != nil && !h.config.Valid(l.hello.Token) {
		return nil, refusal{http.StatusUnauthorized, "the token was revoked; hermes plugin install gets a new one"}
	}
	if h.opening.Take(l.hello.Token, time.Now()) != pace.Yes {
		return nil, refusal{http.StatusTooManyRequests, "this token opens links too often; open it again in a while"}
	}
	for _, old := range h.links {
		if old.hello.Token == l.hello.Token && old.hello.Process == l.hello.Process && old.hello.Directory == l.hello.Directory {
			replaced = append(replaced, old)
		}
	}
	if len(h.links)-len(replaced) >= h.config.Links {
		return nil, errFull
	}
	if sentence := h.overQuota(l, replaced); sentence != "" {
		return nil, refusal{http.StatusTooManyRequests, sentence}
	}
	for _, old := range replaced {
		h.removeLink(old)
	}
	h.links[l.id] = l
	return replaced, nil
}

// removeLink makes l unknown; the caller has the Hub's lock. It reports whether l was known.
func (h *Hub) removeLink(l *Link) bool {
	if h.links[l.id] != l {
		return false
	}
	delete(h.links, l.id)
	return true
}

// closeLink ends l unless something else has done so.
func (h *Hub) closeLink(l *Link, why Reason) {
	h.mu.Lock()
	known := h.removeLink(l)
	h.mu.Unlock()
	if known {
		h.tellEnd(l, why)
	}
}

// tellEnd tells the callers and then the owner that l, no longer in links, has ended.
func (h *Hub) tellEnd(l *Link, why Reason) {
	l.endAs(why)
	l.order.Lock()
	defer l.order.Unlock()
	if h.config.Closed != nil {
		h.config.Closed(l)
	}
	h.tellSeen(l)
}

func (h *Hub) tellSeen(l *Link) {
	if h.config.Seen != nil {
		h.config.Seen(l)
	}
}

// closeLost is called by the timer of a link that was not polled for too long.
func (h *Hub) closeLost(l *Link, poll int) {
	if l.isNewestPoll(poll) {
		h.closeLink(l, Lost)
	}
}

// graceAfter is the time for the next poll after one whose request has this context.
func (h *Hub) graceAfter(ctx context.Context) time.Duration {
	if ctx.Err() != nil {
		return h.config.BrokenGrace
	}
	return h.config.Grace
}
