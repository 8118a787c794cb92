package daemon

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"hermes/internal/api"
	"hermes/opencode/link"
)

// The bounds on connections to the HTTP interface. Two thousand links with three each, the polls
// of asks and of the journal beside them, fit.
const (
	mostConnections = 8192
	forHealth       = 16 // more, for health alone, while requests are under way on all others
)

// maxConnections leaves a quarter of the descriptors that the process may have to all
// else: Telegram, OpenCode and the database can then always be reached.
func maxConnections(descriptors uint64) int {
	return int(min(mostConnections, descriptors-descriptors/4))
}

// maxLinks leaves a quarter of the connections to all but the polls of links, of which each holds one: events, answers and the
// interface of programs then always get through.
func maxLinks(connections int) int { return max(1, min(4096, connections-connections/4)) }

// Bounded is a listener with as many connections as a daemon takes. When one more comes, the oldest is closed: it is for a server whose requests are short.
func Bounded(l net.Listener, log *slog.Logger) net.Listener {
	return newConnections(maxConnections(maxDescriptors()), log).limit(l)
}

// connections bounds how many connections a server has. When one more comes, the oldest
// on which no request is worked on is closed: one that is idle, or has not sent its
// request yet. Who has no token cannot hold one for long, for a refusal is no work.
type connections struct {
	most int
	log  *slog.Logger

	mu      sync.Mutex
	open    map[*connection]bool
	count   uint64    // that ever came
	warned  time.Time // when the log had that they are at their bound
	refused time.Time // when the log had that a link was refused for that
}

// connection is one of them. Its fields are guarded by connections.mu.
type connection struct {
	net.Conn
	all     *connections
	number  uint64
	working int  // requests
	spare   bool // beyond the bound: for health alone
}

func newConnections(most int, log *slog.Logger) *connections {
	return &connections{most: most, log: log, open: map[*connection]bool{}}
}

// limit is the listener with bounded connections.
func (s *connections) limit(l net.Listener) net.Listener { return boundListener{l, s} }

type boundListener struct {
	net.Listener
	all *connections
}

// Accept gives the next connection that there is room for. Others it closes.
func (l boundListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c := l.all.add(conn); c != nil {
			return c, nil
		}
		_ = conn.Close()
	}
}

// add takes a connection in, nil if there is no room at all.
func (s *connections) add(conn net.Conn) *connection {
	s.mu.Lock()
	c := &connection{Conn: conn, all: s, number: s.count}
	s.count++
	var out []*connection
	if len(s.open) >= s.most {
		s.warnFull()
	}
	for len(s.open) >= s.most {
		old := s.oldestIdle()
		if old == nil {
			break
		}
		delete(s.open, old)
		out = append(out, old)
	}
	c.spare = len(s.open) >= s.most
	room := len(s.open) < s.most+forHealth
	if room {
		s.open[c] = true
	}
	s.mu.Unlock()
	for _, old := range out {
		_ = old.Conn.Close()
	}
	if !room {
		return nil
	}
	return c
}

// oldestIdle is the first that came of those without work; nil: all work.
func (s *connections) oldestIdle() (first *connection) {
	for c := range s.open {
		if c.working == 0 && (first == nil || c.number < first.number) {
			first = c
		}
	}
	return first
}

// warnFull logs, at most once a minute, that they are at their bound.
func (s *connections) warnFull() {
	if now := time.Now(); now.Sub(s.warned) >= time.Minute {
		s.warned = now
		s.log.Warn("there are as many HTTP connections as hermes takes; those without a request are closed for new ones", "connections", len(s.open))
	}
}

// refuseLink logs, at most once a minute, that there are as many links as there may be.
func (s *connections) refuseLink(h link.Hello) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := time.Now(); now.Sub(s.refused) >= time.Minute {
		s.refused = now
		s.log.Warn("a link was refused, as there are as many as hermes takes; let it have more descriptors (ulimit -n), or run a second hermes",
			"host", h.Host, "token", h.Token, "most", maxLinks(s.most))
	}
}

// Close closes the connection and makes room.
func (c *connection) Close() error {
	c.all.mu.Lock()
	delete(c.all.open, c)
	c.all.mu.Unlock()
	return c.Conn.Close()
}

// countOpen is how many are open.
func (s *connections) countOpen() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}

type connectionKey struct{}

// withConnection makes the connection known to its requests: http.Server.ConnContext.
func (s *connections) withConnection(ctx context.Context, conn net.Conn) context.Context {
	if over, ok := conn.(*tls.Conn); ok {
		conn = over.NetConn()
	}
	return context.WithValue(ctx, connectionKey{}, conn)
}

// trackRequests notes on which connections requests are worked on. It is the outermost handler.
func (s *connections) trackRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, ok := r.Context().Value(connectionKey{}).(*connection)
		if !ok {
			next.ServeHTTP(w, r)
			return
		}
		spare := s.addWork(c, 1)
		defer s.addWork(c, -1)
		if spare && r.URL.Path != "/healthz" && r.URL.Path != "/readyz" {
			w.Header().Set("Connection", "close")
			api.Refuse(w, http.StatusServiceUnavailable, "hermes has as many connections as it takes; try again")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// addWork notes that n more requests are worked on, and reports whether the connection is for health alone.
func (s *connections) addWork(c *connection, n int) (spare bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.working += n
	return c.spare
}
