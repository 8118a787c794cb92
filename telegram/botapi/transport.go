package botapi

import (
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"hermes/internal/guard"
)

// newTransport makes connections that notice within half a minute that nobody is there any more, whether they are in use or wait to be.
// may agrees to each write; nil: always.
func newTransport(proxy string, may guard.May) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.HTTP2 = &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 10 * time.Second}
	t.DialContext = (&net.Dialer{
		Timeout:         30 * time.Second,
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 3},
	}).DialContext
	if may != nil {
		t.DialContext = guard.Dial(t.DialContext, may)
	}
	if u, err := url.Parse(proxy); proxy != "" && err == nil {
		t.Proxy = http.ProxyURL(u)
	}
	return t
}

// renewed is a transport whose connections can be left behind: also one that is in use, which http.Transport would use again.
type renewed struct {
	make func() *http.Transport
	now  atomic.Pointer[http.Transport]
}

func newRenewed(make func() *http.Transport) *renewed {
	r := &renewed{make: make}
	r.now.Store(make())
	return r
}

func (r *renewed) RoundTrip(req *http.Request) (*http.Response, error) {
	return r.now.Load().RoundTrip(req)
}

// CloseIdleConnections has the next requests go over new connections. Those under way continue over
// theirs.
func (r *renewed) CloseIdleConnections() { r.now.Swap(r.make()).CloseIdleConnections() }

// CloseIdleConnections has the next calls go over new connections.
func (c *Client) CloseIdleConnections() { c.wire.http.CloseIdleConnections() }
