package opencodesim

import (
	"net/http"
	"sync"
	"time"
)

// stream is one open event stream. Its queue has no limit, so a slow reader
// delays nobody.
type stream struct {
	global bool
	dir    string    // of an /event stream
	from   time.Time // what happens before is lost

	mu     sync.Mutex
	frames [][]byte
	done   bool
	wake   chan struct{}
}

func newStream(global bool, dir string) *stream {
	return &stream{global: global, dir: dir, wake: make(chan struct{}, 1)}
}

func (st *stream) push(frame []byte) {
	st.mu.Lock()
	st.frames = append(st.frames, frame)
	st.mu.Unlock()
	st.signal()
}

// finish lets the stream end after the frames that are queued.
func (st *stream) finish() {
	st.mu.Lock()
	st.done = true
	st.mu.Unlock()
	st.signal()
}

func (st *stream) signal() {
	select {
	case st.wake <- struct{}{}:
	default:
	}
}

func (st *stream) take() (frames [][]byte, done bool) {
	st.mu.Lock()
	defer st.mu.Unlock()
	frames, st.frames = st.frames, nil
	return frames, st.done
}

func (s *Simulator) globalEvents(w http.ResponseWriter, r *http.Request) {
	s.events(w, r, newStream(true, ""))
}

func (s *Simulator) localEvents(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	dir := s.instance(s.directory(r)).dir
	s.mu.Unlock()
	s.events(w, r, newStream(false, dir))
}

// events writes a stream until the client goes, the process ends (the
// connection is cut) or the instance is disposed of (the stream ends).
func (s *Simulator) events(w http.ResponseWriter, r *http.Request, st *stream) {
	life := s.subscribe(st)
	defer s.unsubscribe(st)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	beat := time.NewTicker(s.is.heartbeat)
	defer beat.Stop()
	for {
		frames, done := st.take()
		if !writeFrames(w, frames) || done {
			return
		}
		select {
		case <-st.wake:
		case <-beat.C:
			st.push(s.signal(st, "server.heartbeat"))
		case <-r.Context().Done():
			return
		case <-life:
			panic(http.ErrAbortHandler)
		}
	}
}

// subscribe adds the stream with server.connected as its first frame.
func (s *Simulator) subscribe(st *stream) (life <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.life == nil {
		panic(http.ErrAbortHandler)
	}
	st.push(s.bus.signalLocked(st, "server.connected"))
	st.from = time.Now().Add(s.opts.StreamGap)
	s.bus.streams[st] = struct{}{}
	return s.life
}

func (s *Simulator) unsubscribe(st *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.bus.streams, st)
}

func (s *Simulator) signal(st *stream, kind string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bus.signalLocked(st, kind)
}

// signalLocked is an event about the stream itself: it belongs to no directory.
func (b *eventBus) signalLocked(st *stream, kind string) []byte {
	p := payload{Type: kind, Properties: struct{}{}}
	if b.is.modern {
		p.ID = b.mint.ascending("evt")
	}
	if st.global {
		return encode(envelope{Payload: p})
	}
	return encode(p)
}

func writeFrames(w http.ResponseWriter, frames [][]byte) bool {
	for _, f := range frames {
		if _, err := w.Write(append(append([]byte("data: "), f...), "\n\n"...)); err != nil {
			return false
		}
	}
	if fl, ok := w.(http.Flusher); ok {
		fl.Flush()
	}
	return true
}

// Listeners is how many event streams are open.
func (s *Simulator) Listeners() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.bus.streams)
}
