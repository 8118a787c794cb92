// Package guard keeps a process that may not act any more from being heard: it makes no call, and sends nothing on connections that are open.
package guard

import (
	"context"
	"net"
	"net/http"
)

// May tells whether the process may act now: nil, or why it may not. It is asked often, from several goroutines, and must not wait.
type May func() error

// Transport makes no call that may refuses; the error is may's. Calls that were made stay under way.
func Transport(next http.RoundTripper, may May) http.RoundTripper { return transport{next, may} }

type transport struct {
	next http.RoundTripper
	may  May
}

func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := t.may(); err != nil {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		return nil, err
	}
	return t.next.RoundTrip(req)
}

// CloseIdleConnections implements what [http.Client.CloseIdleConnections] looks for.
func (t transport) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// Dial makes connections that send only while the process may act: one that was paused, and wakes in the middle of a call, sends no more of it.
func Dial(dial func(ctx context.Context, network, address string) (net.Conn, error), may May) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return Conn(c, may), nil
	}
}

// Conn is a connection on which a write that may refuses sends nothing, and closes it; the error is may's. When it is closed while may refuses, what was
// written and has not arrived is dropped: the system would go on sending it when the network is whole again, after others have acted.
func Conn(c net.Conn, may May) net.Conn { return conn{c, may} }

type conn struct {
	net.Conn
	may May
}

func (c conn) Write(p []byte) (int, error) {
	if err := c.may(); err != nil {
		_ = c.Close()
		return 0, err
	}
	return c.Conn.Write(p)
}

func (c conn) Close() error {
	if tcp, ok := c.Conn.(*net.TCPConn); ok && c.may() != nil {
		_ = tcp.SetLinger(0)
	}
	return c.Conn.Close()
}
