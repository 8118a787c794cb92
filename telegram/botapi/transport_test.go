package botapi

import (
	"context"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// network is a server behind connections that can go silent.
type network struct {
	server http.Server
	conns  chan net.Conn
	gone   chan struct{}
	dials  atomic.Int64

	mu   sync.Mutex
	open []*silentConn
}

// silentConn is one end of a connection. When it is silent, what is written to it goes nowhere, and nothing breaks.
type silentConn struct {
	net.Conn
	silent atomic.Bool
}

func (c *silentConn) Write(p []byte) (int, error) {
	if c.silent.Load() {
		return len(p), nil
	}
	return c.Conn.Write(p)
}

// newNetwork serves until the test ends. It answers what is asked for at /held after a minute.
func newNetwork(t *testing.T) *network {
	n := &network{conns: make(chan net.Conn), gone: make(chan struct{})}
	n.server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/held" {
			select {
			case <-time.After(time.Minute):
			case <-r.Context().Done():
			}
		}
	})
	n.server.Protocols = new(http.Protocols)
	n.server.Protocols.SetHTTP1(true)
	n.server.Protocols.SetUnencryptedHTTP2(true)
	go func() { _ = n.server.Serve(n) }()
	t.Cleanup(func() { n.server.Close() })
	return n
}

func (n *network) Accept() (net.Conn, error) {
	select {
	case c := <-n.conns:
		return c, nil
	case <-n.gone:
		return nil, net.ErrClosed
	}
}

func (n *network) Addr() net.Addr { return &net.UnixAddr{} }

func (n *network) Close() error {
	select {
	case <-n.gone:
	default:
		close(n.gone)
	}
	return nil
}

func (n *network) dial(context.Context, string, string) (net.Conn, error) {
	here, there := net.Pipe()
	a, b := &silentConn{Conn: here}, &silentConn{Conn: there}
	n.mu.Lock()
	n.open = append(n.open, a, b)
	n.mu.Unlock()
	n.dials.Add(1)
	n.conns <- b
	return a, nil
}

// silence makes the connections that are open half open.
func (n *network) silence() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range n.open {
		c.silent.Store(true)
	}
}

// over is the transport that hermes uses, over the network.
func (n *network) over(http2 bool) *http.Transport {
	t := newTransport("", nil)
	t.Proxy, t.DialContext = nil, n.dial
	if http2 {
		t.Protocols = new(http.Protocols)
		t.Protocols.SetUnencryptedHTTP2(true)
	}
	return t
}

// A call over a connection that is half open ends: with HTTP/2 by pings, else when its time is over. The next one goes over a new connection,
// and not over one that waited to be used and is as dead.
func TestTransport_HalfOpenConnections(t *testing.T) {
	for name, c := range map[string]struct {
		http2  bool
		within time.Duration
	}{"HTTP/1.1": {false, 35 * time.Second}, "HTTP/2": {true, 25 * time.Second}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNetwork(t)
				client := &http.Client{Transport: n.over(c.http2)}
				get := func(path string, limit time.Duration) (time.Duration, error) {
					ctx, cancel := context.WithTimeout(t.Context(), limit)
					defer cancel()
					req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://telegram.test"+path, nil)
					if err != nil {
						t.Fatal(err)
					}
					began := time.Now()
					res, err := client.Do(req)
					if err == nil {
						res.Body.Close()
					}
					return time.Since(began), err
				}
				if _, err := get("/", time.Second); err != nil {
					t.Fatal(err)
				}
				held := make(chan error, 1)
				began := time.Now()
				go func() {
					_, err := get("/held", 35*time.Second)
					held <- err
				}()
				synctest.Wait()
				if !c.http2 { // another connection, which waits to be used
					if _, err := get("/", time.Second); err != nil {
						t.Fatal(err)
					}
				}
				n.silence()
				if err := <-held; err == nil || time.Since(began) > c.within {
					t.Errorf("the call that was under way ended after %v: %v", time.Since(began), err)
				}
				before := n.dials.Load()
				client.CloseIdleConnections()
				if took, err := get("/", 10*time.Second); err != nil || took > time.Second || n.dials.Load() != before+1 {
					t.Errorf("the next call: %v after %v, over %d new connections", err, took, n.dials.Load()-before)
				}
				client.CloseIdleConnections()
				n.server.Close()
			})
		})
	}
}
