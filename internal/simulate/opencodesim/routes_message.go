package opencodesim

import (
	"net/http"
	"strconv"
)

type messageJSON struct {
	Info  messageInfo `json:"info"`
	Parts []*part     `json:"parts"`
}

func (m *message) json() messageJSON {
	parts := m.parts
	if parts == nil {
		parts = []*part{}
	}
	return messageJSON{m.info, parts}
}

// text is its text parts, joined by lines.
func (m *message) text() string {
	var texts []string
	for _, p := range m.parts {
		if p.Type == "text" {
			texts = append(texts, p.Text)
		}
	}
	return joinLines(texts)
}

// listMessages lists the latest messages of a session, oldest first. 1.1.53 says of a session
// that does not exist that it has none.
func (s *Simulator) listMessages(w http.ResponseWriter, r *http.Request) {
	if !s.is.modern && !s.hasSession(r.PathValue("session")) {
		writeJSON(w, http.StatusOK, []messageJSON{})
		return
	}
	s.withSession(w, r, func(ses *session) {
		all := ses.told()
		if n, err := strconv.Atoi(r.URL.Query().Get("limit")); err == nil && n < len(all) {
			all = all[len(all)-n:]
		}
		list := []messageJSON{}
		for _, m := range all {
			list = append(list, m.json())
		}
		writeJSON(w, http.StatusOK, list)
	})
}

func (s *Simulator) hasSession(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions[id] != nil
}

func (s *Simulator) getMessage(w http.ResponseWriter, r *http.Request) {
	s.withSession(w, r, func(ses *session) {
		m := ses.message(r.PathValue("message"))
		if m == nil || ses.v2 {
			writeJSON(w, http.StatusNotFound, namedError{"NotFoundError", map[string]string{
				"message": "Message not found: " + r.PathValue("message"),
			}})
			return
		}
		writeJSON(w, http.StatusOK, m.json())
	})
}

func (s *Simulator) promptAsync(w http.ResponseWriter, r *http.Request) {
	o, ok := s.is.object(w, r)
	if !ok {
		return
	}
	list, ok := o["parts"].([]any)
	if !ok {
		s.is.refuse(w, o, "array", "Expected array", o["parts"], "parts")
		return
	}
	p := promptFrom(o, list)
	p.Session = r.PathValue("session")
	s.mu.Lock()
	defer s.mu.Unlock()
	inst := s.instanceFor(r)
	p.Directory = inst.dir
	ses := s.reachable(p.Session, inst)
	if ses == nil && s.is.modern {
		s.is.sessionNotFound(w, p.Session)
		return
	}
	if ses != nil && s.knowsAgent(inst, p) && s.seesImages(inst, p) {
		s.takePrompt(ses, p)
	}
	w.WriteHeader(http.StatusNoContent) // 1.1.53: also for a session that does not exist
}

// takePrompt stores or queues a prompt or starts a turn with it. On 1.1.53 it
// runs in the instance that the request reached, on newer versions in the
// session's own.
func (s *Simulator) takePrompt(ses *session, p Prompt) {
	if s.is.modern {
		p.Directory = ses.info.Directory
	}
	s.prompts = append(s.prompts, p)
	if stored := ses.message(p.MessageID); stored != nil && len(p.parts) == 0 {
		p.Text = stored.text()
	}
	inst := s.instance(p.Directory)
	switch {
	case p.NoReply || !s.is.startsTurn(ses, p):
		s.storePrompt(ses, inst, p)
	case ses.turn != nil:
		ses.queue = append(ses.queue, queued{p, s.storePrompt(ses, inst, p)})
	default:
		message := s.storePrompt(ses, inst, p)
		if s.knowsModel(ses, inst) {
			s.follow(s.beginTurn(ses, inst, message), p)
		}
	}
}

// startsTurn is false for a message id that was answered already, and, on 1.1.53,
// for one that does not sort after the session's last message. An answer that ended in
// an error is none.
func (is behaviour) startsTurn(ses *session, p Prompt) bool {
	if p.MessageID == "" || len(ses.messages) == 0 {
		return true
	}
	if ses.message(p.MessageID) != nil {
		last := ses.messages[len(ses.messages)-1].info
		return ses.turn == nil && (last.Role == "user" || last.Error != nil)
	}
	return is.modern || p.MessageID > ses.messages[len(ses.messages)-1].info.ID
}

func promptFrom(o map[string]any, list []any) Prompt {
	p := Prompt{}
	p.MessageID, _ = o["messageID"].(string)
	p.NoReply, _ = o["noReply"].(bool)
	p.Agent, _ = o["agent"].(string)
	if m, ok := o["model"].(map[string]any); ok {
		p.model.ProviderID, _ = m["providerID"].(string)
		p.model.ModelID, _ = m["modelID"].(string)
		p.Model = p.model.ProviderID + "/" + p.model.ModelID
	}
	var texts []string
	for _, item := range list {
		given := partFrom(item)
		switch given.Type {
		case "text":
			texts = append(texts, given.Text)
		case "file":
			p.Files = append(p.Files, File{given.Filename, given.Mime, given.data()})
		}
		p.parts = append(p.parts, given)
	}
	p.Text = joinLines(texts)
	return p
}

func partFrom(item any) part {
	o, _ := item.(map[string]any)
	text := func(key string) string { v, _ := o[key].(string); return v }
	return part{
		ID: text("id"), Type: text("type"), Text: text("text"), Name: text("name"),
		Mime: text("mime"), Filename: text("filename"), URL: text("url"),
	}
}
