package rig

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"hermes/internal/api"
	"hermes/internal/simulate/openapi"
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
	transport := &http.Transport{DialContext: r.listener.Load().Dial, DisableKeepAlives: true}
	if r.Config.TLSCert != "" {
		transport.DialContext = r.dialTLS
	}
	return transport.RoundTrip(req)
}

func (r *Rig) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := r.listener.Load().Dial(ctx, network, address)
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
		req = req.Clone(req.Context())
		req.URL.Scheme = "http"
		return r.send(req) // Telegram's path is not part of the interface
	})
}

// RoundTripper is a function that is a transport.
type RoundTripper func(*http.Request) (*http.Response, error)

// RoundTrip calls the function.
func (f RoundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// Description is that of the HTTP interface, to which every exchange of a Rig is held.
var Description = sync.OnceValue(func() *openapi.Document {
	d, err := openapi.Parse(api.OpenAPI())
	if err != nil {
		panic(err)
	}
	return d
})

// holdToDescription makes a request. Where the answer has arrived whole, the description of the interface must have it.
func (r *Rig) holdToDescription(way http.RoundTripper, req *http.Request) (*http.Response, error) {
	res, err := way.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if hook, err := url.Parse(r.Config.TelegramWebhookURL); err == nil && hook.Path == req.URL.Path && hook.Path != "" {
		return res, nil // Telegram's own, at a path that a person chose
	}
	res.Body = &held{ReadCloser: res.Body, whole: func(got []byte) {
		x := openapi.Exchange{Request: req, Sent: sentBy(req), Status: res.StatusCode, Header: res.Header, Got: got}
		if err := Description().Check(x); err != nil {
			r.T.Errorf("openapi.json does not have it: %v", err)
		}
		if pattern, ok := Description().Operation(req); ok && r.Answered != nil {
			r.Answered(pattern, res.StatusCode)
		}
	}}
	return res, nil
}

// sentBy is the body of a request that was made of a text.
func sentBy(req *http.Request) []byte {
	if req.GetBody == nil {
		return nil
	}
	body, err := req.GetBody()
	if err != nil {
		return nil
	}
	text, _ := io.ReadAll(body) // it is in memory
	return text
}

// held is a body that tells what it was when it has been read to its end.
type held struct {
	io.ReadCloser
	got   []byte
	whole func([]byte)
}

func (h *held) Read(p []byte) (int, error) {
	n, err := h.ReadCloser.Read(p)
	h.got = append(h.got, p[:n]...)
	if err == io.EOF && h.whole != nil {
		h.whole(h.got)
		h.whole = nil
	}
	return n, err
}
