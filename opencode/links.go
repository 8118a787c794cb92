package opencode

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"time"

	"hermes/internal/event"
	"hermes/internal/session"
	"hermes/opencode/call"
	"hermes/opencode/link"
	"hermes/opencode/service"
	"hermes/opencode/wire"
)

// maxUnheard is how many events of a link wait to be heard; beyond them its plugin waits. Every open link has room for so many.
const maxUnheard = 16

// openLink is an open link: the instance, and the goroutine that hears its events
// in order, so that the plugin need not wait for what they lead to.
type openLink struct {
	instance *instance
	events   chan wire.Event
	end      chan event.Kind // how the link ended; empty: another one has replaced it
	done     chan struct{}   // closed when that is emitted
	ctx      context.Context
	stop     context.CancelFunc
	local    bool // the process could be seen on this machine when the link opened
}

// openLinks are the links that plugins, and the processes beside services of OpenCode 2, have
// opened, and those that were refused. It has the functions of link.Config.
type openLinks struct {
	ways    *ways
	refused refusedPlugins
	drop    func(*link.Link) // ends a link that is of no more use

	mu        sync.Mutex
	open      map[*link.Link]*openLink
	services  map[*link.Link]*linkedService
	processes map[string]*linkedProcess // those that have a link
}

// linkedProcess is what the links of one OpenCode process share.
type linkedProcess struct {
	links int // that are open
	names *sessionNames
}

func newOpenLinks(w *ways) *openLinks {
	return &openLinks{ways: w, open: map[*link.Link]*openLink{}, services: map[*link.Link]*linkedService{}, processes: map[string]*linkedProcess{}}
}

// hellos are what the plugins said of themselves, by host and directory.
func (s *openLinks) hellos() []link.Hello {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []link.Hello
	for l := range s.open {
		list = append(list, l.Hello())
	}
	for l := range s.services {
		list = append(list, l.Hello())
	}
	return sortHellos(list)
}

func (s *openLinks) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open) + len(s.services)
}

func (s *openLinks) byLink(l *link.Link) *openLink {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[l]
}

// join counts a link to its process, and gives the names of that one's sessions: they are kept while it has a link.
func (s *openLinks) join(l *link.Link) *sessionNames {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := processOf(l.Hello())
	p := s.processes[name]
	if p == nil {
		p = &linkedProcess{names: &sessionNames{}}
		s.processes[name] = p
	}
	p.links++
	return p.names
}

func (s *openLinks) add(l *link.Link, in *openLink) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[l] = in
}

func (s *openLinks) remove(l *link.Link) *openLink {
	s.mu.Lock()
	defer s.mu.Unlock()
	in := s.open[l]
	if in == nil {
		return nil
	}
	delete(s.open, l)
	name := processOf(l.Hello())
	p := s.processes[name]
	if p.links--; p.links == 0 {
		delete(s.processes, name)
	}
	return in
}

func (s *openLinks) removeService(l *link.Link) *linkedService {
	s.mu.Lock()
	defer s.mu.Unlock()
	service := s.services[l]
	delete(s.services, l)
	return service
}

// processOf names the process of a link among those of all links. What a plugin says of itself is believed of the machine that has
// its token alone: no other one can speak for a process whose name it has learned. With the API's token, which is that of many, the
// plugin's word is all there is; such names have no slash.
func processOf(h link.Hello) string {
	if h.Token == "" {
		return strings.ReplaceAll(h.Process, "/", "-")
	}
	return h.Token + "/" + h.Process
}

// servers are the services of OpenCode 2 that are linked.
func (s *openLinks) servers() []*directServer {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*directServer
	for _, one := range s.services {
		list = append(list, one.server)
	}
	return list
}

func (s *openLinks) service(l *link.Link) *linkedService {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.services[l]
}

// handleOpen takes a link.
func (s *openLinks) handleOpen(l *link.Link) {
	hello := l.Hello()
	s.refused.remove(hello)
	if hello.Kind == link.Service {
		s.openService(l)
	} else {
		s.openPlugin(l)
	}
	s.ways.log.Info("OpenCode linked", append(loggedHello(hello), "version", hello.Version)...)
	s.ways.untested.hear(hello.Version, hello.Host)
}

// openService follows the service from then on.
func (s *openLinks) openService(l *link.Link) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.services[l] = newLinkedService(l, s.ways, s.drop)
}

// openPlugin makes the link an origin and lists what waits there. What the plugin
// listed itself is not enough: an aborted turn leaves its request listed, so the
// sessions' status is needed as well.
func (s *openLinks) openPlugin(l *link.Link) {
	hello := l.Hello()
	client := NewClient(call.Endpoint{
		Transport: l.RoundTripper(), Base: "http://opencode.internal", Directory: hello.Directory,
	}, hello.Version, clockAhead(hello))
	o := session.Origin{Way: session.Link, Process: processOf(hello), Directory: hello.Directory, Host: hello.Host, Token: hello.Token}
	if hello.Resolved != hello.Directory {
		o.Resolved = hello.Resolved
	}
	in := &openLink{
		instance: newInstance(o, client, s.join(l), s.ways.emit),
		events:   make(chan wire.Event, maxUnheard), end: make(chan event.Kind, 1), done: make(chan struct{}), local: isOnThisMachine(hello),
	}
	in.ctx, in.stop = context.WithCancel(context.Background())
	s.add(l, in)
	s.ways.reachable.add(in.instance)
	go s.serve(in)
}

// relistAfter is when a listing that failed is tried again.
const relistAfter = 2 * time.Second

// serve lists what waits, and processes a link's events until it closes. Events that came
// before the end are emitted before the end.
func (s *openLinks) serve(in *openLink) {
	defer close(in.done)
	s.ways.reachable.startListing(in.instance, true)
	again := time.NewTicker(relistAfter)
	defer again.Stop()
	for {
		select {
		case kind := <-in.end:
			s.hearRemaining(in)
			in.instance.stopAs(kind)
			return
		case e := <-in.events:
			s.hear(in, e)
		case <-again.C:
			if !in.instance.asks.wasListed() {
				s.ways.reachable.startListing(in.instance, false)
			} else {
				again.Stop()
			}
		}
	}
}

func (s *openLinks) hear(in *openLink, e wire.Event) {
	if e.Type == "hermes.listed" {
		s.ways.reachable.startListing(in.instance, true)
	}
	in.instance.hear(in.ctx, e)
}

// hearRemaining processes the events that were queued when the link ended. Nothing can be
// asked there any more.
func (s *openLinks) hearRemaining(in *openLink) {
	for {
		select {
		case e := <-in.events:
			in.instance.hear(in.ctx, e)
		default:
			return
		}
	}
}

func (s *openLinks) handleEvent(l *link.Link, raw json.RawMessage) {
	if service := s.service(l); service != nil {
		service.hear(raw)
		return
	}
	in := s.byLink(l)
	var e wire.Event
	if in == nil || json.Unmarshal(raw, &e) != nil {
		return
	}
	select {
	case in.events <- e:
	case <-in.ctx.Done():
	}
}

// handleRefusal notes a plugin of another protocol, and logs it when it is new.
func (s *openLinks) handleRefusal(h link.Hello) {
	switch fresh := s.refused.add(h, time.Now()); {
	case fresh && h.Kind == link.Service:
		s.ways.log.Warn("a hermes link run was refused, as it is of another version; update hermes there, or here if that one is newer",
			"host", h.Host, "version", h.Plugin, "protocol", h.Protocol)
	case fresh && h.Protocol > link.Protocol:
		s.ways.log.Warn("an OpenCode was refused, as its plugin is newer than this hermes; update hermes here",
			append(loggedHello(h), "protocol", h.Protocol)...)
	case fresh:
		s.ways.log.Warn("an OpenCode was refused, as its plugin speaks another protocol; run hermes plugin install and restart that OpenCode",
			append(loggedHello(h), "protocol", h.Protocol)...)
	}
}

// handleClose distinguishes a lost connection from an OpenCode that is gone. What was
// pending in a disposed instance or an ended process is gone for good.
func (s *openLinks) handleClose(l *link.Link) {
	if service := s.removeService(l); service != nil {
		s.ways.log.Info("OpenCode link ended", "host", l.Hello().Host, "reason", l.Reason().String())
		service.end(l.Reason())
		return
	}
	in := s.remove(l)
	if in == nil {
		return
	}
	in.stop() // what is being asked there
	kind := event.Lost
	if l.Reason() == link.Disposed || l.Reason() == link.Lost && in.local && !isRunning(l.Hello().PID) {
		kind = event.Closed
	}
	s.ways.log.Info("OpenCode link ended", append(loggedHello(l.Hello()), "reason", l.Reason().String())...)
	if !s.ways.reachable.remove(in.instance) {
		kind = ""
	}
	in.end <- kind
	<-in.done
}

// loggedHello names a link in the log (see session.Origin.Logged).
func loggedHello(h link.Hello) []any {
	return session.Origin{Directory: h.Directory, Host: h.Host, Token: h.Token}.Logged()
}

// clockAhead is how far the plugin's clock is ahead of this one. What the way takes is not
// counted.
func clockAhead(h link.Hello) time.Duration {
	const way = 2 * time.Second
	by := time.Until(time.UnixMilli(h.Time))
	if h.Time == 0 || by.Abs() < way {
		return 0
	}
	return by
}

func isOnThisMachine(h link.Hello) bool {
	name, err := os.Hostname()
	return err == nil && h.Host == name && isRunning(h.PID)
}

// isRunning reports whether a process of this machine has the number.
func isRunning(pid int) bool { return service.Exists(pid) }
