// Package inprocess is what the stand-ins for HTTP servers have in common: the
// way to them without a socket ([Transport]), the ways in which a request can
// go wrong ([Fault]), and the queue of an event stream ([Frames]).
package inprocess

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
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

// exchange is one in-process request: the http.ResponseWriter of the handler
// on one side, the response of the client on the other.
type exchange struct {
	cancel  context.CancelFunc
	header  http.Header
	read    *io.PipeReader
	write   *io.PipeWriter
	once    sync.Once
	status  int
	sent    http.Header
	started chan struct{} // closed when status and header are sent
	cutOnce sync.Once
	cut     chan struct{} // closed when it ended, however
}

func newExchange(cancel context.CancelFunc) *exchange {
	r, w := io.Pipe()
	return &exchange{
		cancel: cancel, header: http.Header{}, read: r, write: w,
		started: make(chan struct{}), cut: make(chan struct{}),
	}
}

// run serves the request to its end. A handler that panics with
// http.ErrAbortHandler cuts the connection.
func (e *exchange) run(h http.Handler, r *http.Request) {
	defer e.cancel()
	defer func() {
		switch v := recover(); v {
		case nil:
			e.WriteHeader(http.StatusOK)
			e.write.Close()
		case http.ErrAbortHandler:
			e.fail(io.ErrUnexpectedEOF)
		default:
			panic(v)
		}
	}()
	h.ServeHTTP(e, r)
}

func (e *exchange) fail(err error) {
	e.write.CloseWithError(err)
	e.cutOnce.Do(func() { close(e.cut) })
}

// wait returns when the answer has begun or the connection is cut.
func (e *exchange) wait(req *http.Request) (*http.Response, error) {
	select {
	case <-e.started:
		return e.response(req), nil
	case <-e.cut:
	}
	select {
	case <-e.started: // begun and ended already
		return e.response(req), nil
	default:
		return nil, e.cause(req.Context())
	}
}

// cause is the error of a request that ended before its answer began.
func (e *exchange) cause(ctx context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return errReset()
}

func (e *exchange) response(req *http.Request) *http.Response {
	return &http.Response{
		Status:     fmt.Sprintf("%d %s", e.status, http.StatusText(e.status)),
		StatusCode: e.status,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: e.sent, Body: &exchangeBody{e}, ContentLength: -1, Request: req,
	}
}

func (e *exchange) Header() http.Header { return e.header }

func (e *exchange) WriteHeader(status int) {
	e.once.Do(func() {
		e.status, e.sent = status, e.header.Clone()
		close(e.started)
	})
}

func (e *exchange) Write(p []byte) (int, error) {
	e.WriteHeader(http.StatusOK)
	return e.write.Write(p)
}

// Flush does nothing: what is written is there at once.
func (e *exchange) Flush() {}

type exchangeBody struct{ e *exchange }

func (b *exchangeBody) Read(p []byte) (int, error) { return b.e.read.Read(p) }

func (b *exchangeBody) Close() error {
	b.e.cancel()
	return b.e.read.Close()
}
