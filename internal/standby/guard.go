package standby

import (
	"context"
	"net"
	"net/http"
)

// May tells whether the process may act now: nil, or why it may not. It is asked often, from several goroutines, and must not wait.
type May func() error

// GuardTransport makes no call that may refuses; the error is may's. Calls that were made stay under way.
func GuardTransport(next http.RoundTripper, may May) http.RoundTripper {
	return guardedTransport{next, may}
}

type guardedTransport struct {
	next http.RoundTripper
	may  May
}

func (t guardedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := t.may(); err != nil {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		return nil, err
	}
	return t.next.RoundTrip(req)
}

// CloseIdleConnections implements what [http.Client.CloseIdleConnections] looks for.
func (t guardedTransport) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// GuardDial makes connections that send only while the process may act: one that was paused, and wakes in the middle of a call, sends no more of it.
func GuardDial(dial func(ctx context.Context, network, address string) (net.Conn, error), may May) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return guardConn(c, may), nil
	}
}

// guardConn is a connection on which a write that may refuses sends nothing, and closes it; the error is may's. When it is closed while may refuses, what was
// written and has not arrived is dropped: the system would go on sending it when the network is whole again, after others have acted.
func guardConn(c net.Conn, may May) net.Conn { return guardedConn{c, may} }

type guardedConn struct {
	net.Conn
	may May
}

func (c guardedConn) Write(p []byte) (int, error) {
	if err := c.may(); err != nil {
		_ = c.Close()
		return 0, err
	}
	return c.Conn.Write(p)
}

func (c guardedConn) Close() error {
	if tcp, ok := c.Conn.(*net.TCPConn); ok && c.may() != nil {
		_ = tcp.SetLinger(0)
	}
	return c.Conn.Close()
}
