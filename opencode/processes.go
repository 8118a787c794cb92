package opencode

import (
	"context"
	"sync"
	"time"

	"hermes/internal/secret"
	"hermes/internal/session"
)

// processID tells whether two servers of OpenCode 2 are one process. Two processes of one machine
// have different ids, and the service of each user has a password of its own, of 43 random
// characters: who has both, and the version, is the same process, by whatever name it is reached.
type processID struct {
	pid      int
	version  string
	password secret.Text
}

// processes are those that direct servers are connected to: the service may be one of the servers
// that are configured, under a name that does not show it, such as a LAN address or that
// of a proxy. Each process is followed once, as all that it says would come twice otherwise. Two
// servers that are configured are never taken for one, as a person named both: containers may share
// a password and have equal process ids. Safe for concurrent use.
type processes struct {
	mu         sync.Mutex
	service    processID // zero: none
	configured map[*directServer]followed
}

// followed is what a configured server is connected to, or was.
type followed struct {
	id   processID
	left time.Time // zero: it is
}

// keptName is how long a configured server that was connected keeps the service's file from being
// followed in its place: a cut stream or a restart gives the process no other name.
const keptName = 30 * time.Second

// covers reports whether the server at the file is this one.
func (f followed) covers(id processID) bool {
	if f.left.IsZero() {
		return f.id == id
	}
	return f.id.password == id.password && time.Since(f.left) < keptName
}

func newProcesses() *processes { return &processes{configured: map[*directServer]followed{}} }

// follow notes what a server is connected to. It reports false if that is followed already: by
// the service, or by a configured server where this is the service.
func (p *processes) follow(d *directServer, who Identity) bool {
	id := processID{who.PID, who.Version, d.server.Password}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case !who.IsV2(), d.at.Way == session.Link: // what a link says of its process is no more than that
	case d.isService && p.isConfiguredLocked(id), !d.isService && p.service == id:
		return false
	case d.isService:
		p.service = id
	default:
		p.configured[d] = followed{id: id}
	}
	return true
}

// leave notes that a server is not connected any more.
func (p *processes) leave(d *directServer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f, ok := p.configured[d]; ok {
		f.left = time.Now()
		p.configured[d] = f
	}
	if d.isService {
		p.service = processID{}
	}
}

// isConfigured reports whether a configured server is connected to this process, or is about to
// be again.
func (p *processes) isConfigured(id processID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.isConfiguredLocked(id)
}

func (p *processes) isConfiguredLocked(id processID) bool {
	for _, other := range p.configured {
		if other.covers(id) {
			return true
		}
	}
	return false
}

// firstTry is how long the service waits for the configured servers that may be it.
const firstTry = 5 * time.Second

// awaitTried returns when each of the servers that has this password was asked once what it is, or
// after firstTry: so which of two names a process is followed by is the same at each start.
func awaitTried(ctx context.Context, servers []*directServer, password secret.Text) {
	ctx, cancel := context.WithTimeout(ctx, firstTry)
	defer cancel()
	for _, d := range servers {
		if d.server.Password != password {
			continue
		}
		select {
		case <-d.tried:
		case <-ctx.Done():
			return
		}
	}
}
