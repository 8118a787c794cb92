package telegramsim

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
)

// Transport returns a RoundTripper that reaches the server without sockets,
// whatever the host of the request is. It streams the request's body, ends when
// the request's context does, reports to net/http/httptrace, and fails as a TCP
// connection would where a [Fault] says so. All requests go over one connection, as
// HTTP/2 has it; CloseIdleConnections makes the next ones go over a new one.
func (s *Server) Transport() http.RoundTripper {
	t := &transport{server: s}
	t.CloseIdleConnections()
	return t
}

type transport struct {
	server *Server
	since  atomic.Int64 // how often connections had gone silent when this one was made
}

// Silence makes every connection half open, as when the way between loses its state or goes to sleep: nothing breaks, what is sent goes
// nowhere, and no answer comes, not of calls that are under way either, though these may have their effect. A new connection works.
func (s *Server) Silence() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.silenced++
	s.announce()
}

// CloseIdleConnections implements what [http.Client.CloseIdleConnections] looks for.
func (t *transport) CloseIdleConnections() {
	t.server.mu.Lock()
	defer t.server.mu.Unlock()
	t.since.Store(int64(t.server.silenced))
}

// dead reports whether the connection has gone silent since it was made.
func (t *transport) dead(since int64) bool {
	t.server.mu.Lock()
	defer t.server.mu.Unlock()
	return since < int64(t.server.silenced)
}

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
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	since := t.since.Load()
	done := make(chan reply, 1)
	if req.Body != nil {
		defer req.Body.Close()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	x := &exchange{}
	defer x.leave()
	if t.dead(since) {
		if tr := httptrace.ContextClientTrace(ctx); tr != nil {
			traceWritten(tr)
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}
	go t.exchange(req, x, done)
	select {
	case r := <-done:
		if t.dead(since) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		if tr := httptrace.ContextClientTrace(ctx); r.err == nil && tr != nil && tr.GotFirstResponseByte != nil {
			tr.GotFirstResponseByte()
		}
		return r.resp, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// exchange runs the handler as an HTTP server would.
func (t *transport) exchange(req *http.Request, x *exchange, done chan<- reply) {
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
