package opencode

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"hermes/internal/question"
	"hermes/internal/retry"
	"hermes/opencode/link"
)

// refreshEvery is how often what waits is listed again, where something waits.
const refreshEvery = 30 * time.Second

// Gateway holds all ways into OpenCode. It reports events to Events, those of one
// session in order, and gives the Client that reaches an origin. All methods are
// safe for concurrent use.
type Gateway struct {
	events           func(question.Event)
	knownDirectories func(process string) []string
	log              *slog.Logger
	hub              *link.Hub
	servers          []*directServer
	links            openLinks
	refused          refusedPlugins

	mu               sync.Mutex
	instances        map[originKey]*instance // those that can be reached
	followedSessions atomic.Pointer[map[question.SessionID]bool]
}

// originKey is what tells origins apart.
type originKey struct {
	way                question.Way
	process, directory string
}

func keyOf(o question.Origin) originKey { return originKey{o.Way, o.Process, o.Directory} }

// Config is what a Gateway needs.
type Config struct {
	Servers []Server
	Events  func(question.Event) // called for every event; may block
	// KnownDirectories lists the directories of a direct server in which hermes knows of an
	// open question. May be nil.
	KnownDirectories func(server string) []string
	Log              *slog.Logger
	Link             link.Config // its functions are the gateway's own, but for Seen
}

// NewGateway makes a Gateway. Links are taken from then on, by Handler; direct
// servers are connected while Run runs.
func NewGateway(c Config) *Gateway {
	g := &Gateway{events: c.Events, knownDirectories: c.KnownDirectories, log: c.Log, instances: map[originKey]*instance{}}
	if g.knownDirectories == nil {
		g.knownDirectories = func(string) []string { return nil }
	}
	for _, s := range c.Servers {
		g.servers = append(g.servers, newDirect(s, g))
	}
	c.Link.Opened, c.Link.Event, c.Link.Closed, c.Link.Refused = g.linkOpened, g.linkEvent, g.linkClosed, g.linkRefused
	g.hub = link.New(c.Link)
	return g
}

// Handler serves the plugin's side of the links, under /v1/link.
func (g *Gateway) Handler() http.Handler { return g.hub }

// Revoke ends the links that were opened with the token of this name, which must not open any by now.
func (g *Gateway) Revoke(token string) { g.hub.Revoke(token) }

// Close ends all links.
func (g *Gateway) Close() { g.hub.Close() }

// Run connects the direct servers, and lists again what waits from time to time,
// until ctx ends.
func (g *Gateway) Run(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	for _, d := range g.servers {
		all.Go(func() { d.run(ctx) })
	}
	for retry.Wait(ctx, refreshEvery) == nil {
		for _, i := range g.toRefresh() {
			g.startListing(ctx, i, false) // one that does not answer holds up none of the others
		}
	}
}

// startListing lists what waits, beside everything else. One listing at a time is under way
// for an instance; another one that must be follows it.
func (g *Gateway) startListing(ctx context.Context, i *instance, must bool) {
	i.listings.start(ctx, must, func(ctx context.Context) { g.refresh(ctx, i) })
}

// Agent gives the client that reaches the origin now.
func (g *Gateway) Agent(o question.Origin) (*Client, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	i, ok := g.instances[keyOf(o)]
	if !ok {
		return nil, false
	}
	return i.client, true
}

// Reach gives the client for any directory of a direct server that answers, also one
// from which nothing was heard: its next call starts an instance there, plugins and all.
// What waits there is listed from then on. Elsewhere it is like Agent.
func (g *Gateway) Reach(o question.Origin) (*Client, bool) {
	if c, ok := g.Agent(o); ok {
		return c, true
	}
	for _, d := range g.servers {
		if o.Way == question.Direct && o.Process == d.server.URL && o.Directory != "" {
			return d.clientIn(o.Directory)
		}
	}
	return nil, false
}

// Servers are the direct servers that answer now, in the order of the configuration, as
// origins without a directory.
func (g *Gateway) Servers() []question.Origin {
	var list []question.Origin
	for _, d := range g.servers {
		d.mu.Lock()
		if d.connected {
			list = append(list, question.Origin{Way: question.Direct, Process: d.server.URL, Host: d.host()})
		}
		d.mu.Unlock()
	}
	return list
}

// Origins lists what can be reached now. The same OpenCode may be there twice, over a
// link and directly.
func (g *Gateway) Origins() []question.Origin {
	g.mu.Lock()
	defer g.mu.Unlock()
	list := make([]question.Origin, 0, len(g.instances))
	for _, i := range g.instances {
		list = append(list, i.origin)
	}
	slices.SortFunc(list, func(a, b question.Origin) int {
		return cmp.Or(cmp.Compare(a.Directory, b.Directory), cmp.Compare(a.Way, b.Way), cmp.Compare(a.Process, b.Process))
	})
	return list
}

// Follow sets the sessions of which Spoke is told: what they say while they say it. It
// replaces those of before, and never waits.
func (g *Gateway) Follow(sessions []question.SessionID) {
	set, names := map[question.SessionID]bool{}, make([]string, 0, len(sessions))
	for _, id := range sessions {
		set[id] = true
		names = append(names, string(id))
	}
	g.followedSessions.Store(&set)
	g.hub.Follow(names)
}

func (g *Gateway) isFollowed(id question.SessionID) bool {
	set := g.followedSessions.Load()
	return set != nil && (*set)[id]
}

// Ways says how many links are open, and how many of the direct servers answer.
func (g *Gateway) Ways() (links, direct int) {
	for _, d := range g.servers {
		d.mu.Lock()
		if d.connected {
			direct++
		}
		d.mu.Unlock()
	}
	return g.links.count(), direct
}

// String names the servers, so that no print of a Gateway shows what it knows of them.
func (g *Gateway) String() string {
	names := make([]string, 0, len(g.servers))
	for _, d := range g.servers {
		names = append(names, d.host())
	}
	return "gateway to " + strings.Join(names, ", ")
}

func (g *Gateway) emit(e question.Event) { g.events(e) }

func (g *Gateway) toRefresh() []*instance {
	g.mu.Lock()
	defer g.mu.Unlock()
	var list []*instance
	for _, i := range g.instances {
		if !i.asks.isEmpty() || !i.asks.wasListed() {
			list = append(list, i)
		}
	}
	return list
}

// refresh lists what waits. A failure needs no word: the connection says so too.
func (g *Gateway) refresh(ctx context.Context, i *instance) {
	if err := i.refresh(ctx); err != nil {
		g.log.Debug("cannot list what waits", "directory", i.origin.Directory, "err", err)
	}
}

func (g *Gateway) add(i *instance) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.instances[keyOf(i.origin)] = i
}

// removeAs tells that the instance can be reached no more, unless another one has
// taken its place.
func (g *Gateway) removeAs(i *instance, kind question.EventKind) {
	if g.remove(i) {
		i.stopAs(kind)
	}
}

// remove lets nobody ask at the instance any more. It reports false if another one
// has taken its place.
func (g *Gateway) remove(i *instance) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	mine := g.instances[keyOf(i.origin)] == i
	if mine {
		delete(g.instances, keyOf(i.origin))
	}
	return mine
}
