package opencode

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"sync"
	"time"

	"hermes/internal/event"
	"hermes/internal/retry"
	"hermes/internal/session"
	"hermes/opencode/service"
)

const (
	// followEvery is how often the file of the service is read while it leads to none.
	followEvery = 3 * time.Second
	// goneAfter is how long the file must be removed, or its process ended, until what waited
	// there is given up. A restart takes 1 to 3 s, and a service without its file ends itself
	// within 7 s (measured on 2.0 of 2026-07-20).
	goneAfter = 10 * time.Second
)

// serviceProcess names the service in origins. The name stays when the service is started anew,
// on another port too, as its sessions are kept. What waited there does not survive that: it
// is not listed any more afterwards, and so it is looked up.
const serviceProcess = "service"

var (
	// errAnotherProcess says that the file does not speak of the server at its URL.
	errAnotherProcess = errors.New("the server there is not the process that the file of the OpenCode service names")
	// errFileChanged says that the file does not lead there any more.
	errFileChanged = errors.New("the file of the OpenCode service has changed")
	// errFollowed says of a server that it is a process that hermes follows under another name.
	errFollowed = errors.New("it is the OpenCode service, which hermes follows already")
	// errConfigured says that the service is connected already.
	errConfigured = errors.New("the OpenCode service is one of the servers that are configured, and is reached as such")
)

// backgroundService keeps the background service of OpenCode 2 connected, for as long as its
// file leads to it. It writes, moves and starts nothing. The file is read before each
// connection, so that no password is sent to an address that it does not name now.
type backgroundService struct {
	service    Service
	ways       *ways
	servers    []*directServer // those of the configuration
	configured map[string]bool // listenKey of their URLs

	mu      sync.Mutex
	server  *directServer // nil: the file leads to none
	problem string        // logged last
}

func newBackgroundService(s Service, servers []*directServer, w *ways) *backgroundService {
	b := &backgroundService{service: s, ways: w, servers: servers, configured: map[string]bool{}}
	for _, d := range servers {
		b.configured[listenKey(d.server.URL)] = true
	}
	return b
}

// listenKey tells whether two URLs lead to one port of this machine: loopback has several
// names.
func listenKey(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return text
	}
	host := u.Hostname()
	if ip, err := netip.ParseAddr(host); host == "localhost" || err == nil && (ip.IsLoopback() || ip.IsUnspecified()) {
		host = "loopback"
	}
	return net.JoinHostPort(host, u.Port())
}

// run follows the file until ctx ends.
func (b *backgroundService) run(ctx context.Context) {
	var left leftOrigins
	for ctx.Err() == nil {
		r, err := b.find(ctx)
		b.note(err)
		switch {
		case err == nil:
			left.add(b.follow(ctx, r))
		case isGone(err):
			left.giveUp(time.Now(), b.ways.emit)
		default:
			left.since = time.Time{}
		}
		if err != nil && retry.Wait(ctx, followEvery) != nil {
			return
		}
	}
}

// find reads where the service is. A service that a person has named among the servers that are configured is followed by that
// name, if it answers by it: all that it says would come twice otherwise.
func (b *backgroundService) find(ctx context.Context) (service.Registration, error) {
	r, err := b.service.File.Find()
	if err == nil && (b.configured[listenKey(r.URL)] || b.isConfigured(ctx, r)) {
		return service.Registration{}, errConfigured
	}
	return r, err
}

// firstTry is how long the configured servers that may be the service have to say what they are.
const firstTry = 5 * time.Second

// isConfigured reports whether a configured server is the service under a name that does not show it, such as a LAN address or
// that of a proxy. Two processes of one machine have different ids, and the service of each user has a password of its own, of 43
// random characters: a server with both, and the version, is the same process.
func (b *backgroundService) isConfigured(ctx context.Context, r service.Registration) bool {
	ctx, cancel := context.WithTimeout(ctx, firstTry)
	defer cancel()
	return slices.ContainsFunc(b.servers, func(d *directServer) bool {
		if d.server.Password != r.Password {
			return false
		}
		who, err := d.identify(ctx)
		return err == nil && who == Identity{Version: r.Version, PID: r.PID}
	})
}

// follows reports whether another server is the service, and is followed as such.
func (b *backgroundService) follows(other *directServer, who Identity) bool {
	if b == nil || !who.IsV2() || other.at.Way == session.Link { // what a link says of its process is no more than that
		return false
	}
	d := b.current()
	if d == nil || d == other || d.server.Password != other.server.Password {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.following && d.who == who
}

// isGone reports whether there is no service: it was stopped or killed.
func isGone(err error) bool {
	fault := service.FaultOf(err)
	return fault == service.Absent || fault == service.Stopped
}

// follow keeps the service connected until its file says something else. It returns the
// origins that were reached.
func (b *backgroundService) follow(ctx context.Context, r service.Registration) []session.Origin {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	d := newDirect(b.service.Server(r), b.ways)
	d.at = session.Origin{Way: session.Direct, Process: serviceProcess, Host: cmp.Or(ownHostname(), d.host())}
	d.registered = r.ID
	d.identify = func(ctx context.Context) (Identity, error) {
		if now, err := b.find(ctx); err != nil || now != r {
			stop()
			return Identity{}, errFileChanged
		}
		i, err := identifyV2(ctx, d.second.Endpoint)
		if err == nil && (i.PID != r.PID || i.Version != r.Version) {
			err = errAnotherProcess
		}
		return i, err
	}
	b.setServer(d)
	defer b.setServer(nil)
	d.run(ctx)
	return d.origins()
}

// ownHostname is this machine's name, for people.
func ownHostname() string {
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	return name
}

func (b *backgroundService) setServer(d *directServer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.server = d
}

// current is the server that the file leads to; nil: none.
func (b *backgroundService) current() *directServer {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.server
}

// note logs why the file leads to no service, once until that changes. That there is none is no
// news for the many who have none.
func (b *backgroundService) note(err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	b.mu.Lock()
	known := b.problem == text
	b.problem = text
	b.mu.Unlock()
	if err == nil || known {
		return
	}
	level := slog.LevelWarn
	switch {
	case service.FaultOf(err) == service.Absent:
		level = slog.LevelDebug
	case errors.Is(err, errConfigured), isGone(err):
		level = slog.LevelInfo
	}
	b.ways.log.Log(context.Background(), level, "no OpenCode service", "err", err)
}

// leftOrigins are those of a service that has ended.
type leftOrigins struct {
	origins []session.Origin
	since   time.Time // when it was found to be gone; zero: it was not
}

// add takes the origins of a service that was followed. One that was never reached leaves those of
// the one before it.
func (l *leftOrigins) add(origins []session.Origin) {
	if l.since = (time.Time{}); len(origins) > 0 {
		l.origins = origins
	}
}

// giveUp emits that the origins are gone for good, once the service has been so for long
// enough.
func (l *leftOrigins) giveUp(now time.Time, emit func(event.Event)) {
	if l.since.IsZero() {
		l.since = now
	}
	if now.Sub(l.since) < goneAfter {
		return
	}
	for _, o := range l.origins {
		emit(event.Event{Kind: event.Closed, Origin: o})
	}
	l.origins = nil
}
