package rig

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"hermes/opencode/link"
)

// pipeListener is a net.Listener without a socket.
type pipeListener struct {
	conns chan net.Conn
	done  chan struct{}
	close sync.Once
}

// NewPipeListener listens without a socket.
func NewPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
}

// Accept returns the next connection that Dial made.
func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// Close ends Accept and Dial.
func (l *pipeListener) Close() error {
	l.close.Do(func() { close(l.done) })
	return nil
}

// Addr is empty: there is no network.
func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

// Dial connects to the listener.
func (l *pipeListener) Dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-l.done:
		return nil, errors.New("connection refused")
	}
}

// RoundTrip makes one request to the daemon that runs now, on a connection of
// its own, and holds it to the description of the interface. Where the daemon has a certificate it speaks TLS, and believes every one.
func (r *Rig) RoundTrip(req *http.Request) (*http.Response, error) {
	return r.holdToDescription(RoundTripper(r.send), req)
}

func (r *Rig) send(req *http.Request) (*http.Response, error) {
	transport := &http.Transport{DialContext: r.listener.Dial, DisableKeepAlives: true}
	if r.Config.TLSCert != "" {
		transport.DialContext = r.dialTLS
	}
	return transport.RoundTrip(req)
}

func (r *Rig) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := r.listener.Dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return tls.Client(c, &tls.Config{InsecureSkipVerify: true}), nil
}

// Request is one call of the HTTP interface: the status and the body. It carries
// the bearer token; headers, given as pairs, come on top.
func (r *Rig) Request(method, path, body string, headers ...string) (int, string) {
	r.T.Helper()
	send := func() (*http.Response, error) {
		req, err := http.NewRequest(method, "http://hermes.test"+path, strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		req.Header.Set("Authorization", "Bearer "+HookKey)
		for i := 0; i < len(headers); i += 2 {
			req.Header.Set(headers[i], headers[i+1])
		}
		return r.RoundTrip(req)
	}
	res, err := send()
	// A body that is refused before all of it was sent: now and then net/http's client sees that the pipe was closed before it
	// sees the answer.
	for tries := 0; errors.Is(err, io.ErrClosedPipe) && len(body) > link.MaxBody/16 && tries < 5; tries++ {
		res, err = send()
	}
	if err != nil {
		r.T.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		r.T.Fatal(err)
	}
	NoCanary(r.T, method+" "+path, string(text))
	return res.StatusCode, string(text)
}

// webhook is Telegram's way to the daemon, past the TLS that a proxy would end.
func (r *Rig) webhook() http.RoundTripper {
	return RoundTripper(func(req *http.Request) (*http.Response, error) {
		if delay, ok := r.delay.Load().(func(*http.Request) time.Duration); ok {
			time.Sleep(delay(req))
		}
		req = req.Clone(req.Context())
		req.URL.Scheme = "http"
		return r.send(req) // Telegram's path is not part of the interface
	})
}

// RoundTripper is a function that is a transport.
type RoundTripper func(*http.Request) (*http.Response, error)

// RoundTrip calls the function.
func (f RoundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }
