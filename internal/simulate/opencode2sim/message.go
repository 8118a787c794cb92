package opencode2sim

import (
	"net/http"
	"slices"
)

// message is one message of a session: what the user wrote, or one step of the
// agent.
type message struct {
	id          string
	kind        string // user, synthetic, assistant
	text        string
	description string
	files       []data
	created     int64
	completed   int64

	agent    string
	model    modelRef
	parts    []*part
	snapshot bool // its end is known
	finish   string
	used     *tokens
	changed  []string
	fault    *fault
}

// fault is why a call, a step or a turn failed.
type fault struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

func aborted(message string) *fault { return &fault{"aborted", message} }

// part is a text or a tool call of a step.
type part struct {
	text string

	call      string // id; empty of a text
	tool      string
	status    string // running, completed, error
	input     any
	content   []data
	result    data
	fault     *fault
	created   int64
	ran       int64
	completed int64
}

func (m *message) wire(n names) data {
	if m.kind != "assistant" {
		return m.wireInput()
	}
	content := []data{}
	for _, p := range m.parts {
		content = append(content, p.wire(n))
	}
	out := data{
		"id": m.id, "type": "assistant", "agent": m.agent, "model": m.model, "content": content,
		"time": times(m.created, 0, m.completed), "snapshot": data{"start": snapshotID},
	}
	if m.snapshot {
		out["snapshot"] = data{"start": snapshotID, "end": snapshotID, "files": texts(m.changed)}
	}
	if m.finish != "" {
		out["finish"] = m.finish
	}
	if m.used != nil {
		out["cost"], out["tokens"] = 0, *m.used
	}
	if m.fault != nil {
		out["error"] = m.fault
	}
	return out
}

func (m *message) wireInput() data {
	out := data{"id": m.id, "type": m.kind, "text": m.text, "time": data{"created": m.created}}
	if m.files != nil {
		out["files"] = m.files
	}
	if m.description != "" {
		out["description"] = m.description
	}
	return out
}

func (p *part) wire(n names) data {
	if p.call == "" {
		return data{"type": "text", "text": p.text}
	}
	state := data{"status": p.status, "input": p.input, "content": list(p.content), n.structured: object(p.result)}
	if p.fault != nil {
		state["error"] = p.fault
	}
	return data{
		"type": "tool", "id": p.call, "name": p.tool, "executed": false, "state": state,
		"time": times(p.created, p.ran, p.completed),
	}
}

func (p *part) running() bool { return p.call != "" && p.status == "running" }

func times(created, ran, completed int64) data {
	t := data{"created": created}
	if ran != 0 {
		t["ran"] = ran
	}
	if completed != 0 {
		t["completed"] = completed
	}
	return t
}

func list(l []data) []data {
	if l == nil {
		return []data{}
	}
	return l
}

func texts(l []string) []string {
	if l == nil {
		return []string{}
	}
	return l
}

func object(o data) data {
	if o == nil {
		return data{}
	}
	return o
}

// snapshotID stands for the commit that OpenCode makes of the working tree,
// instructionsID for the hash of a model's instructions.
const (
	snapshotID     = "2d6f7cbadef2b9060619ba6176888e31ed974cad"
	instructionsID = "c95d2e030c3685df3fe2a087833d376eddab17476c85984c14cce16ef44fd159"
)

// messageCursor is where a page of messages begins (captures 04, 07).
type messageCursor struct {
	ID        string `json:"id"`
	Order     string `json:"order"`
	Direction string `json:"direction"`
}

// listMessages: newest first unless the order says otherwise (section 5, capture 07).
func listMessages(r *request) answer {
	ses := r.session()
	query := r.URL.Query()
	limit := limitOf(query, 50)
	c := messageCursor{Order: query.Get("order")}
	if text := query.Get("cursor"); text != "" && !uncursor(text, &c) {
		panic(badCursor())
	}
	if c.Order == "" {
		c.Order = "desc"
	}
	all := slices.Clone(ses.messages)
	if c.Order == "desc" {
		slices.Reverse(all)
	}
	page := pageOf(all, limit, c.Direction, func(m *message) bool { return m.id == c.ID })
	cursors := data{"previous": nil, "next": nil}
	if len(page) > 0 {
		cursors["previous"] = cursor(messageCursor{page[0].id, c.Order, "previous"})
		cursors["next"] = cursor(messageCursor{page[len(page)-1].id, c.Order, "next"})
	}
	return ok(data{"data": r.sim.wireMessages(page), "cursor": cursors})
}

func (s *Simulator) wireMessages(all []*message) []data {
	found := []data{}
	for _, m := range all {
		found = append(found, m.wire(s.names))
	}
	return found
}

func getMessage(r *request) answer {
	ses := r.session()
	id := r.PathValue("message")
	for _, m := range ses.messages {
		if m.id == id {
			return wrapped(m.wire(r.sim.names))
		}
	}
	panic(tagged(http.StatusNotFound, "MessageNotFoundError", "Message not found: "+id, data{"sessionID": ses.info.ID, "messageID": id}))
}
