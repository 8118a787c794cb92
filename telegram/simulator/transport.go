package simulator

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"sync"
	"syscall"
)

// Transport returns a RoundTripper that reaches the server without sockets,
// whatever the host of the request is. It streams the request's body, ends when
// the request's context does, reports to net/http/httptrace, and fails as a TCP
// connection would where a [Fault] says so.
func (s *Server) Transport() http.RoundTripper { return transport{s} }

type transport struct{ server *Server }

// exchange is the handler's way to tell its transport more than a response can.
type exchange struct {
	unreachable bool // only used by the handler's goroutine

	mu   sync.Mutex
	gone bool // RoundTrip has returned: the trace must not be called any more
}

func (x *exchange) leave() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.gone = true
}

type exchangeKey struct{}

func markUnreachable(ctx context.Context) {
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		x.unreachable = true
	}
}

// reportWritten tells the client's trace that the request went out.
func reportWritten(ctx context.Context) {
	t := httptrace.ContextClientTrace(ctx)
	x, ok := ctx.Value(exchangeKey{}).(*exchange)
	if t == nil || !ok {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.gone {
		traceWritten(t)
	}
}

func traceWritten(t *httptrace.ClientTrace) {
	if t.GotConn != nil {
		t.GotConn(httptrace.GotConnInfo{})
	}
	if t.WroteHeaders != nil {
		t.WroteHeaders()
	}
	if t.WroteRequest != nil {
		t.WroteRequest(httptrace.WroteRequestInfo{})
	}
}

type reply struct {
	resp *http.Response
	err  error
}

// RoundTrip implements [http.RoundTripper].
func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	done := make(chan reply, 1)
	if req.Body != nil {
		defer req.Body.Close()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	x := &exchange{}
	defer x.leave()
	go t.exchange(req, x, done)
	select {
	case r := <-done:
		if tr := httptrace.ContextClientTrace(ctx); r.err == nil && tr != nil && tr.GotFirstResponseByte != nil {
			tr.GotFirstResponseByte()
		}
		return r.resp, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// exchange runs the handler as an HTTP server would.
func (t transport) exchange(req *http.Request, x *exchange, done chan<- reply) {
	in := req.Clone(context.WithValue(req.Context(), exchangeKey{}, x))
	in.RequestURI, in.RemoteAddr = in.URL.RequestURI(), "192.0.2.1:1"
	if in.Body == nil {
		in.Body = http.NoBody
	}
	w := &recorder{header: http.Header{}}
	defer func() {
		switch p := recover(); {
		case p == nil:
			done <- reply{resp: w.response(req)}
		case p != http.ErrAbortHandler:
			panic(p)
		case x.unreachable:
			done <- reply{err: &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}}
		default:
			done <- reply{err: &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}}
		}
	}()
	t.server.ServeHTTP(w, in)
}

// recorder is the ResponseWriter of a response that is kept whole.
type recorder struct {
	header http.Header
	code   int
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header         { return w.header }
func (w *recorder) WriteHeader(code int)        { w.code = code }
func (w *recorder) Write(p []byte) (int, error) { return w.body.Write(p) }

func (w *recorder) response(req *http.Request) *http.Response {
	code := orDefault(w.code, http.StatusOK)
	return &http.Response{
		StatusCode: code, Status: strconv.Itoa(code) + " " + http.StatusText(code), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: req,
	}
}
