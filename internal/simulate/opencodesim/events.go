package opencodesim

import (
	"encoding/json"
	"strings"
	"time"
)

// envelope is one frame of /global/event; its payload is one of /event.
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

// publish sends an event of dir's instance to every stream that covers it.
// The properties are encoded before publish returns.
func (s *Simulator) publish(dir, kind string, properties any) {
	p := payload{Type: kind, Properties: properties}
	env := envelope{Directory: dir, Payload: &p}
	if s.is.modern {
		p.ID, env.Project = s.mint.ascending("evt"), projectID(dir)
	}
	s.send(dir, encode(p), encode(env))
}

// publishStored publishes an event that OpenCode also writes to its database;
// newer versions repeat it as a sync event on /global/event. On newer versions
// the properties of such an event carry the sessionID beside what is given.
func (s *Simulator) publishStored(dir, sessionID, kind string, properties map[string]any) {
	if !s.is.modern {
		s.publish(dir, kind, properties)
		return
	}
	properties["sessionID"] = sessionID
	s.publish(dir, kind, properties)
	dup := syncEvent{
		ID: s.mint.ascending("evt"), Type: kind + ".1", Seq: s.seq[sessionID],
		AggregateID: sessionID, Data: properties,
	}
	s.seq[sessionID]++
	env := envelope{dir, projectID(dir), syncPayload{"sync", dup}}
	s.send("", nil, encode(env))
}

// send queues a frame: local for the /event streams of dir, global for the
// /global/event streams. Nil is not sent.
func (s *Simulator) send(dir string, local, global []byte) {
	for st := range s.streams {
		switch {
		case time.Now().Before(st.from):
		case st.global:
			st.push(global)
		case local != nil && st.dir == dir:
			st.push(local)
		}
	}
}

// encode is JSON as JavaScript writes it: no HTML escapes, no line end.
func encode(v any) []byte {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("simulator: " + err.Error())
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}
