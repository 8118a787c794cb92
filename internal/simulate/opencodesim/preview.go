package opencodesim

import (
	"cmp"
	"net/http"
	"strings"
)

// v2Table is the routes of OpenCode's new runner, inside 1.x since 1.16.0. They serve only the sessions made through them: neither side lists
// or settles the other's requests. Of the runner's own session.next.* events
// only session.next.tool.failed is published.
func (s *Simulator) v2Table() map[string]func(*http.Request) answer {
	return map[string]func(*http.Request) answer{
		"POST /api/session":                                 s.v2Create,
		"POST /api/session/{session}/prompt":                s.v2Prompt,
		"GET /api/question/request":                         s.v2Requests,
		"POST /api/session/{session}/question/{id}/reply":   s.v2Reply,
		"POST /api/session/{session}/question/{id}/reject":  s.v2Reject,
		"GET /api/permission/request":                       s.v2Requests,
		"POST /api/session/{session}/permission/{id}/reply": s.v2Decide,
		"GET /api/session/active":                           s.v2Active,
		"GET /api/session/{session}/message/{message}":      s.v2Message,
	}
}

type v2Location struct {
	Directory string `json:"directory"`
}

func (ses *session) v2JSON() map[string]any {
	return map[string]any{
		"id": ses.info.ID, "projectID": ses.info.ProjectID, "title": ses.info.Title, "cost": 0,
		"tokens": tokens{}, "time": ses.info.Time, "location": v2Location{ses.info.Directory},
	}
}

func (s *Simulator) v2Create(r *http.Request) answer {
	var o struct{ Location *v2Location }
	read(r, &o)
	dir := s.directory(r)
	if o.Location != nil {
		dir = o.Location.Directory
	}
	ses := s.newSession(s.instance(dir), "", "")
	ses.v2 = true
	return v2Data(ses.v2JSON())
}

func v2Data(data any) answer { return ok(map[string]any{"data": data}) }

// v2Session is session with the error shape of these routes.
func (s *Simulator) v2Session(r *http.Request) *session {
	id := r.PathValue("session")
	ses := s.sessions[id]
	if ses == nil {
		panic(answer{Status: http.StatusNotFound, Body: map[string]string{
			"_tag": "SessionNotFoundError", "sessionID": id, "message": "Session not found: " + id,
		}})
	}
	return ses
}

func (s *Simulator) v2Prompt(r *http.Request) answer {
	var o struct{ Prompt struct{ Text *string } }
	if read(r, &o); o.Prompt.Text == nil {
		return invalid()
	}
	ses := s.v2Session(r)
	s.takePrompt(ses, textPrompt(ses, s.instance(ses.info.Directory), *o.Prompt.Text))
	return v2Data(map[string]any{"sessionID": ses.info.ID})
}

// v2Requests lists what the sessions of a directory ask: questions or, on the other route, permissions.
func (s *Simulator) v2Requests(r *http.Request) answer {
	inst := s.instance(cmp.Or(r.URL.Query().Get("location[directory]"), s.opts.Directory))
	permissions, list := strings.HasPrefix(r.URL.Path, "/api/permission/"), []any{}
	for _, p := range inst.pending {
		if p.v2 && permissions == (p.permission != nil) {
			list = append(list, p.asked())
		}
	}
	return ok(map[string]any{"location": v2Location{inst.dir}, "data": list})
}

func (s *Simulator) v2Reply(r *http.Request) answer {
	given := answers(r)
	return s.v2Settle(r, "Question", func(p *pending) { s.answer(p, given) })
}

func (s *Simulator) v2Reject(r *http.Request) answer { return s.v2Settle(r, "Question", s.reject) }

func (s *Simulator) v2Decide(r *http.Request) answer {
	d := readDecision(r)
	return s.v2Settle(r, "Permission", func(p *pending) { s.decide(p, d.Reply, d.Message) })
}

func (s *Simulator) v2Settle(r *http.Request, kind string, act func(*pending)) answer {
	ses, id := s.v2Session(r), s.attempted(r)
	p := s.instance(ses.info.Directory).find(id)
	if p == nil || !p.v2 || p.sessionID != ses.info.ID || (p.permission != nil) != (kind == "Permission") {
		return s.is.notPending(kind, id)
	}
	act(p)
	return done()
}

type v2Permission struct {
	ID        string   `json:"id"`
	SessionID string   `json:"sessionID"`
	Action    string   `json:"action"`
	Resources []string `json:"resources"`
	Save      []string `json:"save"`
	Source    v2Source `json:"source"`
}

type v2Source struct {
	Type string `json:"type"`
	toolRef
}

// asked is a request as the runner of its session tells it.
func (p *pending) asked() any {
	switch {
	case p.question != nil:
		return p.question
	case !p.v2:
		return p.permission
	}
	want := p.permission.Permission
	return v2Permission{
		ID: p.id, SessionID: p.sessionID, Action: want.Permission, Resources: want.Patterns, Save: want.Always,
		Source: v2Source{"tool", toolRef{p.call.part.MessageID, p.call.part.CallID}},
	}
}

// dropV2 is what becomes of a session's other asks when one is rejected: no
// permission event names them.
func (s *Simulator) dropV2(p *pending) {
	p.inst.remove(p)
	s.bus.publish(p.inst.dir, "session.next.tool.failed", map[string]any{
		"sessionID": p.sessionID, "callID": p.call.part.CallID,
	})
	if p.call.live() {
		s.fail(p.call, interrupted)
	}
}

func (s *Simulator) v2Active(*http.Request) answer {
	list := map[string]any{}
	for _, ses := range s.ordered() {
		if ses.v2 && ses.turn != nil {
			list[ses.info.ID] = map[string]string{"type": "running"}
		}
	}
	return v2Data(list)
}

func (s *Simulator) v2Message(r *http.Request) answer {
	ses, id := s.v2Session(r), r.PathValue("message")
	m := ses.message(id)
	if m == nil || !ses.v2 {
		return answer{Status: http.StatusNotFound, Body: map[string]string{
			"_tag": "MessageNotFoundError", "sessionID": ses.info.ID, "messageID": id, "message": "Message not found: " + id,
		}}
	}
	return v2Data(m.v2JSON())
}

func (m *message) v2JSON() map[string]any {
	if m.info.Role == "user" {
		text := ""
		for _, p := range m.parts {
			text += p.Text
		}
		return map[string]any{"id": m.info.ID, "time": m.info.Time, "type": "user", "text": text}
	}
	content := []any{}
	for _, p := range m.parts {
		switch p.Type {
		case "text":
			content = append(content, map[string]string{"type": "text", "id": p.ID, "text": p.Text})
		case "tool":
			content = append(content, map[string]any{"type": "tool", "id": p.CallID, "name": p.Tool, "state": p.State.v2JSON()})
		}
	}
	return map[string]any{
		"id": m.info.ID, "time": m.info.Time, "type": "assistant", "agent": m.info.Agent, "content": content,
	}
}

// v2JSON is a call's state: its metadata is called structured, its error is an
// object.
func (st *toolState) v2JSON() map[string]any {
	structured, content := st.Metadata, []any{}
	if structured == nil {
		structured = map[string]any{}
	}
	if st.Output != nil {
		content = append(content, map[string]string{"type": "text", "text": *st.Output})
	}
	state := map[string]any{"status": st.Status, "input": st.Input, "structured": structured, "content": content}
	if st.Error != "" {
		state["error"] = map[string]string{"type": "unknown", "message": st.Error}
	}
	return state
}

// told are the messages of a session that the older routes tell of.
func (ses *session) told() []*message {
	if ses.v2 {
		return nil
	}
	return ses.messages
}
