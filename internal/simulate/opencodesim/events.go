package opencodesim

import (
	"time"

	"hermes/internal/simulate/inprocess"
	"hermes/internal/simulate/opencodeid"
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

// eventBus is the event streams of the process. It is used under the Simulator's lock.
type eventBus struct {
	is      behaviour
	mint    *opencodeid.Minter
	streams map[*stream]struct{}
	seq     map[string]int // sync sequence per session
}

// publish sends an event of dir's instance to every stream that covers it.
// The properties are encoded before publish returns.
func (b *eventBus) publish(dir, kind string, properties any) {
	p := payload{Type: kind, Properties: properties}
	env := envelope{Directory: dir, Payload: &p}
	if b.is.modern {
		p.ID, env.Project = b.mint.Ascending("evt"), projectID(dir)
	}
	b.send(dir, encode(p), encode(env))
}

// publishStored publishes an event that OpenCode also writes to its database;
// newer versions repeat it as a sync event on /global/event. On newer versions
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
	env := envelope{dir, projectID(dir), syncPayload{"sync", dup}}
	b.send("", nil, encode(env))
}

// send queues a frame: local for the /event streams of dir, global for the
// /global/event streams. Nil is not sent.
func (b *eventBus) send(dir string, local, global []byte) {
	for st := range b.streams {
		switch {
		case time.Now().Before(st.from):
		case st.global:
			st.Push(global)
		case local != nil && st.dir == dir:
			st.Push(local)
		}
	}
}

// encode is JSON as JavaScript writes it.
func encode(v any) []byte { return inprocess.JSON(v) }
