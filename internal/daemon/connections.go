package daemon

import (
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"hermes/opencode/link"
)

// mostConnections bounds the connections to the HTTP interface. Two thousand links with three each, the polls of asks and of the
// journal beside them, fit.
const mostConnections = 8192

// maxConnections leaves a quarter of the descriptors that the process may have to all
// else: Telegram, OpenCode and the database can then always be reached.
func maxConnections(descriptors uint64) int {
	return max(1, int(min(mostConnections, descriptors-descriptors/4)))
}

// maxLinks leaves a quarter of the connections to all but the polls of links, of which each holds one: events, answers and the
// interface of programs then always get through.
func maxLinks(connections int) int { return max(1, min(4096, connections-connections/4)) }

// connections counts those to the HTTP interface.
type connections struct {
	most int
	log  *slog.Logger
	open atomic.Int64

	mu      sync.Mutex
	refused time.Time // when the log had that a link was refused, as there are as many as there may be
}

// note counts connections as they come and go: http.Server.ConnState.
func (c *connections) note(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		c.open.Add(1)
	case http.StateClosed, http.StateHijacked:
		c.open.Add(-1)
	}
}

// refuseLink logs, at most once a minute, that there are as many links as there may be.
func (c *connections) refuseLink(h link.Hello) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.refused) >= time.Minute {
		c.refused = now
		c.log.Warn("a link was refused, as there are as many as hermes takes; let it have more descriptors (ulimit -n), or run a second hermes",
			"host", h.Host, "token", h.Token, "most", maxLinks(c.most))
	}
}
