package inprocess

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"syscall"
)

// Server is a stand-in that serves HTTP while it runs.
type Server interface {
	http.Handler
	// Running reports whether connections are accepted.
	Running() bool
}

// Transport reaches a Server without a socket: whatever the URL's host, the
// request is served in this process. Response bodies stream; a cancelled
// request context or a closed body ends the handler, as a closed connection
// would; a Server that does not run refuses the connection, and a handler that
// panics with http.ErrAbortHandler cuts it. It works inside testing/synctest
// bubbles and is safe for concurrent use.
func Transport(s Server) http.RoundTripper { return transport{s} }

type transport struct{ server Server }

func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		defer req.Body.Close()
	}
	if !t.server.Running() {
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
	go ex.run(t.server, served)
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
