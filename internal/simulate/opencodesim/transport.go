package opencodesim

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"syscall"
)

// Transport reaches the Simulator without a socket: whatever the URL's host,
// the request is served in this process. Response bodies stream; a cancelled
// request context or a closed body ends the handler, as a closed connection
// would; a stopped Simulator refuses the connection. It works inside
// testing/synctest bubbles.
func (s *Simulator) Transport() http.RoundTripper { return transport{s} }

type transport struct{ sim *Simulator }

func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		defer req.Body.Close()
	}
	if !t.sim.Running() {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	body, err := readBody(req)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(req.Context())
	served := req.Clone(ctx)
	served.Body = body
	served.RequestURI = req.URL.RequestURI()
	ex := newExchange(cancel)
	context.AfterFunc(ctx, func() { ex.fail(context.Cause(ctx)) })
	go ex.run(t.sim, served)
	return ex.wait(req)
}

func readBody(req *http.Request) (io.ReadCloser, error) {
	if req.Body == nil {
		return http.NoBody, nil
	}
	raw, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(raw)), nil
}

// errReset is what a client sees when the server cuts the connection before
// it has answered.
func errReset() error { return &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET} }
