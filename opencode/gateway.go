package opencode

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"hermes/internal/event"
	"hermes/internal/retry"
	"hermes/internal/session"
	"hermes/opencode/link"
	"hermes/opencode/service"
)

// refreshEvery is how often what waits is listed again, where something waits.
const refreshEvery = 30 * time.Second

// Gateway holds all ways into OpenCode. It reports events to Events, those of one
// session in order, and gives the Client that reaches an origin. All methods are
// safe for concurrent use.
type Gateway struct {
	ways       *ways
	hub        *link.Hub
	links      *openLinks
	servers    []*directServer
	background *backgroundService // nil: it is not looked for
}

// Config is what a Gateway needs.
type Config struct {
	Servers []Server
	Service Service
	Events  func(event.Event) // called for every event; may block
	// KnownDirectories lists the directories of a server in which hermes knows of an open
	// question; the server is an origin without a directory. May be nil.
	KnownDirectories func(server session.Origin) []string
	Log              *slog.Logger
	Link             link.Config // Opened, Event, Closed and Refused are the gateway's own
}

// Service is the background service of OpenCode 2, which is reached directly.
type Service struct {
	File      service.File // without a path it is not looked for
	Transport http.RoundTripper
}

// Server is the server that the file leads to.
func (s Service) Server(r service.Registration) Server {
	return Server{URL: r.URL, Username: service.Username, Password: r.Password, Transport: s.Transport}
}

// NewGateway makes a Gateway. Links are taken from then on, by Handler; direct
// servers are connected while Run runs.
func NewGateway(c Config) *Gateway {
	w := &ways{emit: c.Events, log: c.Log, untested: newUntested(c.Log), reachable: newReachable(c.Log), knownDirectories: c.KnownDirectories}
	if w.knownDirectories == nil {
		w.knownDirectories = func(session.Origin) []string { return nil }
	}
	w.links = newOpenLinks(w)
	g := &Gateway{ways: w, links: w.links}
	for _, s := range c.Servers {
		g.servers = append(g.servers, newDirect(s, w))
	}
	if c.Service.File.Path != "" {
		g.background = newBackgroundService(c.Service, g.servers, w)
		w.background = g.background
	}
	c.Link.Opened, c.Link.Event, c.Link.Closed, c.Link.Refused = g.links.handleOpen, g.links.handleEvent, g.links.handleClose, g.links.handleRefusal
	g.hub = link.New(c.Link)
	g.links.drop = g.hub.Drop
	return g
}

// Handler serves the plugin's side of the links, under /v1/link.
func (g *Gateway) Handler() http.Handler { return g.hub }

// Revoke ends the links that were opened with the token of the link of this id, which must not open any by now.
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
	if g.background != nil {
		all.Go(func() { g.background.run(ctx) })
	}
	for retry.Wait(ctx, refreshEvery) == nil {
		g.ways.reachable.relist()
	}
}

// direct are the servers that are reached directly: those of the configuration, in that order,
// and then the service, if its file leads to one.
func (g *Gateway) direct() []*directServer {
	list := slices.Clone(g.servers)
	if g.background != nil {
		if d := g.background.current(); d != nil {
			list = append(list, d)
		}
	}
	return list
}

// Agent gives the client that reaches the origin now.
func (g *Gateway) Agent(o session.Origin) (*Client, bool) {
	i, ok := g.ways.reachable.get(o)
	if !ok {
		return nil, false
	}
	return i.client, true
}

// Reach gives the client for any directory of a direct server that answers, or of a service of
// OpenCode 2 over a link, also one from which nothing was heard: its next call starts an
// instance there, plugins and all. What waits there is listed from then on. Elsewhere it is
// like Agent.
func (g *Gateway) Reach(o session.Origin) (*Client, bool) {
	if c, ok := g.Agent(o); ok {
		return c, true
	}
	for _, d := range append(g.direct(), g.links.servers()...) {
		if o.SameProcess(d.at) && o.Directory != "" {
			return d.clientIn(o.Directory)
		}
	}
	return nil, false
}

// Servers are the direct servers that answer now, in the order of the configuration and the
// service last, as origins without a directory.
func (g *Gateway) Servers() []session.Origin {
	var list []session.Origin
	for _, d := range g.direct() {
		if d.isConnected() {
			list = append(list, d.at)
		}
	}
	return list
}

// Origins lists what can be reached now.
func (g *Gateway) Origins() []session.Origin { return g.ways.reachable.origins() }

// Follow sets the sessions of which Spoke events are emitted: what they write, while they
// write it. It replaces the previous set, and does not block.
func (g *Gateway) Follow(sessions []session.ID) {
	names := make([]string, 0, len(sessions))
	for _, id := range sessions {
		names = append(names, string(id))
	}
	g.ways.followed.set(sessions)
	g.hub.Follow(names)
}

// Ways says how many links are open, and how many of the direct servers, the service among
// them, answer.
func (g *Gateway) Ways() (links, direct int) {
	for _, d := range g.direct() {
		if d.isConnected() {
			direct++
		}
	}
	return g.links.count(), direct
}

// HasService reports whether the background service of OpenCode 2 answers.
func (g *Gateway) HasService() bool {
	if g.background == nil {
		return false
	}
	d := g.background.current()
	return d != nil && d.isConnected()
}

// Links are the hellos of the open links, sorted by host and directory.
func (g *Gateway) Links() []link.Hello { return g.links.hellos() }

// Refused are the hellos of plugins that were refused lately because they speak another
// protocol. Only their length has been checked.
func (g *Gateway) Refused() []link.Hello { return g.links.refused.list(time.Now()) }

// String names the servers, so that no print of a Gateway shows what it knows of them.
func (g *Gateway) String() string {
	names := make([]string, 0, len(g.servers))
	for _, d := range g.direct() {
		names = append(names, d.host())
	}
	return "gateway to " + strings.Join(names, ", ")
}
