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
	streams map[*inprocess.Frames]struct{}
}

const heartbeat = 15 * time.Second // section 2

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
	if version := durableVersion(kind); version != 0 {
		e.Durable = &durable{ses.info.ID, ses.seq, version}
		ses.seq++
	}
	if located(kind) {
		e.Location = &locationRef{ses.dir()}
	}
	b.send(e)
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
		st.Push(frame)
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

// durableVersion is the version of an event that a session's log keeps, 0 of one that it does not.
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
func (s *Simulator) listen(w http.ResponseWriter, r *http.Request) {
	st := inprocess.NewFrames()
	cut := s.join(st)
	defer s.leave(st)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache, no-transform")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("X-Accel-Buffering", "no")
	st.Stream(w, r, heartbeat, func() { st.Comment("heartbeat") }, cut)
}

// join adds a stream, with its first frame.
func (s *Simulator) join(st *inprocess.Frames) (cut <-chan struct{}) {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	if s.life == nil {
		panic(http.ErrAbortHandler)
	}
	st.Push(inprocess.JSON(event{ID: s.disk.mint.Ascending("evt"), Type: "server.connected", Data: data{}}))
	st.Comment("heartbeat")
	s.bus.streams[st] = struct{}{}
	return s.streams
}

func (s *Simulator) leave(st *inprocess.Frames) {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	delete(s.bus.streams, st)
}
