package opencodesim

import (
	"net/http"
	"time"

	"hermes/internal/simulate/inprocess"
	"hermes/internal/simulate/opencodeid"
)

// envelope is one frame of an event stream.
type envelope struct {
	Directory string `json:"directory,omitempty"`
	Project   string `json:"project,omitempty"`
	Payload   any    `json:"payload"`
}

type payload struct {
	ID         string `json:"id,omitempty"`
	Type       string `json:"type"`
	Properties any    `json:"properties"`
}

type syncPayload struct {
	Type      string    `json:"type"`
	SyncEvent syncEvent `json:"syncEvent"`
}

type syncEvent struct {
	ID          string `json:"id"`
	Type        string `json:"type"`
	Seq         int    `json:"seq"`
	AggregateID string `json:"aggregateID"`
	Data        any    `json:"data"`
}

// eventBus is the event streams of the process. It is used under the Simulator's lock.
type eventBus struct {
	is      behaviour
	mint    *opencodeid.Minter
	streams map[*stream]struct{}
	seq     map[string]int // sync sequence per session
}

// publish sends an event of dir's instance to every stream.
// The properties are encoded before publish returns.
func (b *eventBus) publish(dir, kind string, properties any) {
	p := payload{Type: kind, Properties: properties}
	env := envelope{Directory: dir, Payload: &p}
	if b.is.modern {
		p.ID, env.Project = b.mint.Ascending("evt"), projectID(dir)
	}
	b.send(env)
}

// publishStored publishes an event that OpenCode also writes to its database;
// newer versions repeat it as a sync event. On newer versions
// the properties of such an event carry the sessionID beside what is given.
func (b *eventBus) publishStored(dir, sessionID, kind string, properties map[string]any) {
	if !b.is.modern {
		b.publish(dir, kind, properties)
		return
	}
	properties["sessionID"] = sessionID
	b.publish(dir, kind, properties)
	dup := syncEvent{
		ID: b.mint.Ascending("evt"), Type: kind + ".1", Seq: b.seq[sessionID],
		AggregateID: sessionID, Data: properties,
	}
	b.seq[sessionID]++
	b.send(envelope{dir, projectID(dir), syncPayload{"sync", dup}})
}

func (b *eventBus) send(env envelope) {
	frame := encode(env)
	for st := range b.streams {
		if !time.Now().Before(st.from) {
			st.Push(frame)
		}
	}
}

// encode is JSON as JavaScript writes it.
func encode(v any) []byte { return inprocess.JSON(v) }

// stream is one open event stream.
type stream struct {
	*inprocess.Frames
	from time.Time // what happens before is lost
}

// events writes a stream until the client goes or the process ends, which cuts the connection.
func (s *Simulator) events(w http.ResponseWriter, r *http.Request) {
	st := &stream{Frames: inprocess.NewFrames()}
	life := s.subscribe(st)
	defer s.unsubscribe(st)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	st.Stream(w, r, s.is.heartbeat, func() { st.Push(s.heartbeat()) }, life)
}

// subscribe adds the stream with server.connected as its first frame.
func (s *Simulator) subscribe(st *stream) (life <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.life == nil {
		panic(http.ErrAbortHandler)
	}
	st.Push(s.bus.signal("server.connected"))
	st.from = time.Now().Add(s.opts.StreamGap)
	s.bus.streams[st] = struct{}{}
	return s.life
}

func (s *Simulator) unsubscribe(st *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.bus.streams, st)
}

func (s *Simulator) heartbeat() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bus.signal("server.heartbeat")
}

// signal is an event about the stream itself: it belongs to no directory.
func (b *eventBus) signal(kind string) []byte {
	p := payload{Type: kind, Properties: struct{}{}}
	if b.is.modern {
		p.ID = b.mint.Ascending("evt")
	}
	return encode(envelope{Payload: p})
}

// Listeners is how many event streams are open.
func (s *Simulator) Listeners() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.bus.streams)
}
