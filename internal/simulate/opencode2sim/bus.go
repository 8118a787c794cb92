package opencode2sim

import (
	"net/http"
	"time"

	"hermes/internal/simulate/inprocess"
)

// event is one frame of a stream (section 2).
type event struct {
	ID       string       `json:"id,omitempty"`
	Created  int64        `json:"created,omitempty"`
	Metadata data         `json:"metadata,omitempty"`
	Type     string       `json:"type"`
	Durable  *durable     `json:"durable,omitempty"`
	Location *locationRef `json:"location,omitempty"`
	Data     data         `json:"data"`
}

type durable struct {
	AggregateID string `json:"aggregateID"`
	Seq         int    `json:"seq"`
	Version     int    `json:"version"`
}

// bus is the event streams of one process. It is used under the disk's lock.
type bus struct {
	disk    *disk
	streams map[*stream]struct{}
}

// stream is one open event stream: of everything, or of one session's log.
type stream struct {
	*inprocess.Frames
	session string
	failed  chan struct{} // closed when its reader was too slow
}

func newStream(session string) *stream {
	return &stream{Frames: inprocess.NewFrames(), session: session, failed: make(chan struct{})}
}

const (
	heartbeat = 15 * time.Second // section 2
	mostQueue = 4096             // frames of a slow reader, then its stream fails (section 2, [S])
)

// about publishes an event of a session. The properties are encoded before it
// returns; the session's id is added to them.
func (b *bus) about(ses *session, kind string, properties data) {
	if properties == nil {
		properties = data{}
	}
	properties["sessionID"] = ses.info.ID
	e := event{ID: b.disk.mint.Ascending("evt"), Created: now(), Type: kind, Data: properties}
	if kind == "session.instructions.updated" {
		e.Metadata = data{"instructions": data{"initial": true}}
	}
	e.Durable = b.log(ses, e)
	if located(kind) {
		e.Location = &locationRef{ses.dir()}
	}
	if kind != "session.usage.recorded" { // capture 15: in the log alone
		b.send(e)
	}
}

// log numbers an event and keeps it, if it is one of those that are replayed. The
// log has no locations (capture 15).
func (b *bus) log(ses *session, e event) *durable {
	version := durableVersion(e.Type)
	if version == 0 {
		return nil
	}
	e.Durable = &durable{ses.info.ID, ses.seq, version}
	ses.seq++
	ses.log = append(ses.log, e)
	for st := range b.streams {
		if st.session == ses.info.ID {
			st.Push(inprocess.JSON(e))
		}
	}
	return e.Durable
}

// in publishes an event of a directory; an empty one means that it has none.
func (b *bus) in(dir, kind string, properties data) {
	e := event{ID: b.disk.mint.Ascending("evt"), Created: now(), Type: kind, Data: properties}
	if dir != "" {
		e.Location = &locationRef{dir}
	}
	b.send(e)
}

func (b *bus) send(e event) {
	frame := inprocess.JSON(e)
	for st := range b.streams {
		if st.session != "" {
			continue
		}
		if st.Push(frame); st.Queued() > mostQueue {
			delete(b.streams, st)
			close(st.failed)
		}
	}
}

// located tells whether a session's event has a location (captures 02 to 15).
func located(kind string) bool {
	switch kind {
	case "session.execution.started", "session.execution.succeeded", "session.execution.failed",
		"session.execution.interrupted", "session.usage.updated":
		return false
	}
	return true
}

// durableVersion is the version of an event that is replayed, 0 of one that is not.
func durableVersion(kind string) int {
	switch kind {
	case "session.usage.updated", "session.text.delta", "session.tool.input.delta":
		return 0
	case "session.instructions.updated", "session.deleted", "session.forked":
		return 2
	}
	return 1
}

// listen writes the stream of everything until the client goes or the process
// ends, which cuts it. Nothing is replayed, and no part of the request matters (section 2).
func (s *web) listen(w http.ResponseWriter, r *http.Request) {
	st := newStream("")
	st.Push(inprocess.JSON(event{ID: s.connectedID(), Type: "server.connected", Data: data{}}))
	st.Comment("heartbeat")
	s.stream(w, r, st)
}

func (s *web) connectedID() string {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	return s.disk.mint.Ascending("evt")
}

func (s *web) stream(w http.ResponseWriter, r *http.Request, st *stream) {
	cut := s.join(st)
	defer s.leave(st)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache, no-transform")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("X-Accel-Buffering", "no")
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for st.Send(w) {
		select {
		case <-st.Woken():
		case <-beat.C:
			st.Comment("heartbeat")
		case <-r.Context().Done():
			return
		case <-cut:
			panic(http.ErrAbortHandler)
		case <-st.failed:
			panic(http.ErrAbortHandler)
		}
	}
}

func (s *web) join(st *stream) (cut <-chan struct{}) {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	if s.life == nil {
		panic(http.ErrAbortHandler)
	}
	s.bus.streams[st] = struct{}{}
	return s.cut
}

func (s *web) leave(st *stream) {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	delete(s.bus.streams, st)
}
