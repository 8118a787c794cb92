package opencodesim

import (
	"net/http"
	"time"

	"hermes/internal/simulate/inprocess"
)

// stream is one open event stream.
type stream struct {
	*inprocess.Frames
	global bool
	dir    string    // of an /event stream
	from   time.Time // what happens before is lost
}

func newStream(global bool, dir string) *stream {
	return &stream{Frames: inprocess.NewFrames(), global: global, dir: dir}
}

func (s *Simulator) globalEvents(w http.ResponseWriter, r *http.Request) {
	s.events(w, r, newStream(true, ""))
}

func (s *Simulator) localEvents(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	dir := s.instanceFor(r).dir
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
		if !st.Send(w) {
			return
		}
		select {
		case <-st.Woken():
		case <-beat.C:
			st.Push(s.signal(st, "server.heartbeat"))
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
	st.Push(s.bus.signalLocked(st, "server.connected"))
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
		p.ID = b.mint.Ascending("evt")
	}
	if st.global {
		return encode(envelope{Payload: p})
	}
	return encode(p)
}

// Listeners is how many event streams are open.
func (s *Simulator) Listeners() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.bus.streams)
}
