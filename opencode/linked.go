package opencode

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"hermes/internal/event"
	"hermes/internal/session"
	"hermes/opencode/call"
	"hermes/opencode/link"
)

// linkedService is the service of OpenCode 2 on another machine, over the link that the process
// beside it has opened (opencode/relay). One link is one connection to the event stream: what
// follows the service does not know that both travel over a link.
type linkedService struct {
	link   *link.Link
	server *directServer
	stream *io.PipeWriter // what the event stream says; a write waits until it is read
	done   chan struct{}  // closed when nothing more is emitted
}

// newLinkedService follows the service of a link from now on. drop is called when the link is of
// no more use, though it is open.
func newLinkedService(l *link.Link, w *ways, drop func(*link.Link)) *linkedService {
	hello := l.Hello()
	stream, written := io.Pipe()
	s := &linkedService{link: l, stream: written, done: make(chan struct{})}
	const base = "http://opencode.internal"
	second := newClientV2(call.Endpoint{Transport: linkedTransport{l.RoundTripper(), stream}, Base: base})
	s.server = newServer(Server{URL: base}, second, w)
	s.server.at = session.Origin{Way: session.Link, Process: processOf(hello), Host: hello.Host, Token: hello.Token}
	s.server.registered = hello.Instance
	s.server.identify = func(context.Context) (Identity, error) { // the process beside it has asked
		return Identity{Version: hello.Version, PID: hello.PID}, nil
	}
	go s.follow(drop)
	return s
}

// follow follows the service until its stream ends. What came before its end is heard.
func (s *linkedService) follow(drop func(*link.Link)) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	err := s.server.connect(ctx)
	hasEnded := errors.Is(err, io.EOF)
	if s.link.Reason() != link.Open {
		err = nil // the log has that
	}
	s.server.setDown(ctx, err)
	_ = s.stream.Close() // who writes waits for nobody
	close(s.done)
	if !hasEnded { // it was silent: what opened the link is to open it anew
		drop(s.link)
	}
}

// hear has an event of the link heard. It may block, until the link ends.
func (s *linkedService) hear(raw json.RawMessage) {
	var e struct{ Type string }
	_ = json.Unmarshal(raw, &e) // an object: the hub has looked
	switch e.Type {
	case link.AliveEvent:
		s.write([]byte(": alive\n\n"))
	case link.DisconnectedEvent:
		_ = s.stream.Close()
	default:
		var frame bytes.Buffer
		frame.WriteString("data: ")
		if json.Compact(&frame, raw) == nil { // no line break is left
			frame.WriteString("\n\n")
			s.write(frame.Bytes())
		}
	}
}

// write fails when the stream has ended: nobody reads it any more.
func (s *linkedService) write(frame []byte) { _, _ = s.stream.Write(frame) }

// end ends it with its link. What had come before is emitted first. A service that has ended
// takes what waited there with it.
func (s *linkedService) end(why link.Reason) {
	_ = s.stream.Close()
	<-s.done
	if why != link.Disposed {
		return
	}
	for _, o := range s.server.origins() {
		s.server.ways.emit(event.Event{Kind: event.Closed, Origin: o})
	}
}

// linkedTransport makes calls over a link. The event stream is that of the link.
type linkedTransport struct {
	calls  http.RoundTripper
	stream *io.PipeReader
}

// RoundTrip implements http.RoundTripper. The end of the request is that of the event stream.
func (t linkedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodGet || r.URL.Path != eventPathV2 {
		return t.calls.RoundTrip(r)
	}
	context.AfterFunc(r.Context(), func() { _ = t.stream.CloseWithError(context.Cause(r.Context())) })
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"text/event-stream"}}, ContentLength: -1, Body: t.stream, Request: r,
	}, nil
}
