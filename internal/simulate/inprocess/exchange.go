package inprocess

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
)

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
