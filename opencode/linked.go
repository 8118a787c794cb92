package opencode

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync"

	"golang.org/x/sync/semaphore"

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
	frames *frames
	done   chan struct{} // closed when nothing more is emitted
}

// The events with which the process beside a service tells of its event stream.
const (
	aliveEvent        = "hermes.alive"        // a heartbeat came
	disconnectedEvent = "hermes.disconnected" // it has ended
)

// newLinkedService follows the service of a link from now on. drop is called when the link is of
// no more use, though it is open.
func newLinkedService(l *link.Link, w *ways, drop func(*link.Link)) *linkedService {
	hello := l.Hello()
	s := &linkedService{link: l, frames: newFrames(), done: make(chan struct{})}
	const base = "http://opencode.internal"
	second := newClientV2(call.Endpoint{Transport: linkedTransport{l.RoundTripper(), s.frames}, Base: base})
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
	if s.link.Reason() != link.Open {
		err = nil // the log has that
	}
	s.server.setDown(ctx, err)
	ended := s.frames.close()
	close(s.done)
	if !ended { // it was silent: what opened the link is to open it anew
		drop(s.link)
	}
}

// hear has an event of the link heard. It may block, until the link ends.
func (s *linkedService) hear(raw json.RawMessage) {
	var e struct{ Type string }
	_ = json.Unmarshal(raw, &e) // an object: the hub has looked
	switch e.Type {
	case aliveEvent:
		s.frames.write([]byte(": alive\n\n"))
	case disconnectedEvent:
		s.frames.close()
	default:
		var frame bytes.Buffer
		frame.WriteString("data: ")
		if json.Compact(&frame, raw) == nil { // no line break is left
			frame.WriteString("\n\n")
			s.frames.write(frame.Bytes())
		}
	}
}

// end ends it with its link. What had come before is emitted first. A service that has ended
// takes what waited there with it.
func (s *linkedService) end(why link.Reason) {
	s.frames.close()
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
	frames *frames
}

// RoundTrip implements http.RoundTripper.
func (t linkedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodGet || r.URL.Path != eventPathV2 {
		return t.calls.RoundTrip(r)
	}
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"text/event-stream"}}, ContentLength: -1,
		Body: framesReader{ctx: r.Context(), frames: t.frames}, Request: r,
	}, nil
}

// What of a stream waits to be read. One frame may have 8 MiB.
const (
	maxFrames     = 32
	maxFramesSize = 16 << 20 // bytes
)

// frames is an event stream that one writes and one reads. It is safe for concurrent use.
type frames struct {
	queue chan []byte
	room  *semaphore.Weighted
	life  context.Context // ends with the stream
	end   context.CancelFunc
	once  sync.Once
	rest  []byte // of the frame that was read last; the reader's
}

func newFrames() *frames {
	f := &frames{queue: make(chan []byte, maxFrames), room: semaphore.NewWeighted(maxFramesSize)}
	f.life, f.end = context.WithCancel(context.Background())
	return f
}

// write waits for room, or for the end of the stream.
func (f *frames) write(frame []byte) {
	if f.room.Acquire(f.life, roomOf(frame)) != nil {
		return
	}
	select {
	case f.queue <- frame:
	case <-f.life.Done():
	}
}

// roomOf is what a frame takes of maxFramesSize: one that is larger takes all of it.
func roomOf(frame []byte) int64 { return int64(min(len(frame), maxFramesSize)) }

// close ends the stream behind what was written. It reports whether that was done before.
func (f *frames) close() (before bool) {
	before = true
	f.once.Do(func() {
		before = false
		f.end()
	})
	return before
}

// next waits for a frame; nil: the stream has ended, or ctx has.
func (f *frames) next(ctx context.Context) []byte {
	select {
	case frame := <-f.queue:
		return f.taken(frame)
	case <-ctx.Done():
		return nil
	case <-f.life.Done():
	}
	select { // what was written before
	case frame := <-f.queue:
		return f.taken(frame)
	default:
		return nil
	}
}

// taken makes room where a frame was.
func (f *frames) taken(frame []byte) []byte {
	f.room.Release(roomOf(frame))
	return frame
}

// framesReader reads frames until they or its request end.
type framesReader struct {
	ctx    context.Context
	frames *frames
}

// Read implements io.Reader.
func (r framesReader) Read(p []byte) (int, error) {
	if len(r.frames.rest) == 0 {
		r.frames.rest = r.frames.next(r.ctx)
	}
	if len(r.frames.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.frames.rest)
	r.frames.rest = r.frames.rest[n:]
	return n, nil
}

// Close implements io.Closer.
func (r framesReader) Close() error { return nil }
