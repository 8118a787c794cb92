package opencodesim

import "net/http"

// v2MessageRoutes are the new runner's own messages: the older routes know its
// sessions, and none of what is in them.
func (s *Simulator) v2MessageRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /api/session/active", s.v2Active)
	m.HandleFunc("GET /api/session/{session}/message/{message}", s.v2Message)
}

func (s *Simulator) v2Active(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := map[string]any{}
	for _, ses := range s.ordered() {
		if ses.v2 && ses.turn != nil {
			list[ses.info.ID] = map[string]string{"type": "running"}
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{"data": list})
}

func (s *Simulator) v2Message(w http.ResponseWriter, r *http.Request) {
	s.withV2(w, r, func(ses *session) {
		id := r.PathValue("message")
		m := ses.message(id)
		if m == nil || !ses.v2 {
			writeJSON(w, http.StatusNotFound, map[string]string{
				"_tag": "MessageNotFoundError", "sessionID": ses.info.ID, "messageID": id, "message": "Message not found: " + id,
			})
			return
		}
		writeJSON(w, http.StatusOK, map[string]any{"data": m.v2JSON()})
	})
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
