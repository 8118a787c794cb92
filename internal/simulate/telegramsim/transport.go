package telegramsim

import (
	"context"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"syscall"

	"hermes/internal/simulate/inprocess"
)

// Transport returns a RoundTripper that reaches the server without sockets,
// whatever the host of the request is. It ends when the request's context does,
// reports to net/http/httptrace, and fails as a TCP connection would where a [Fault]
// says so. All requests go over one connection, as
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
	defer s.acting()()
	s.silenced++
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
type exchange struct{ unreachable atomic.Bool }

type exchangeKey struct{}

func markUnreachable(ctx context.Context) {
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		x.unreachable.Store(true)
	}
}

// reportWritten tells the client's trace that the request went out.
func reportWritten(ctx context.Context) {
	t := httptrace.ContextClientTrace(ctx)
	if t == nil || ctx.Value(exchangeKey{}) == nil {
		return
	}
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

// RoundTrip implements [http.RoundTripper].
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	since := t.since.Load()
	x := &exchange{}
	ctx := context.WithValue(req.Context(), exchangeKey{}, x)
	trace := httptrace.ContextClientTrace(ctx)
	if trace != nil && trace.GetConn != nil {
		trace.GetConn(req.URL.Host)
	}
	if t.dead(since) {
		reportWritten(ctx)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	resp, err := inprocess.Transport(t.server).RoundTrip(req.WithContext(ctx))
	switch {
	case t.dead(since):
		if err == nil {
			resp.Body.Close()
		}
		<-ctx.Done()
		return nil, ctx.Err()
	case x.unreachable.Load():
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	case err == nil && trace != nil && trace.GotFirstResponseByte != nil:
		trace.GotFirstResponseByte()
	}
	return resp, err
}

// Running is for [inprocess.Transport]: Telegram always runs.
func (s *Server) Running() bool { return true }
