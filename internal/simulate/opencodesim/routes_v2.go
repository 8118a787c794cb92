package opencodesim

import (
	"net/http"
	"strings"
)

// v2Routes are the routes of OpenCode's new runner, inside 1.x since 1.16.0. They serve only the sessions made through them: neither side lists
// or settles the other's requests. Of the runner's own session.next.* events
// only session.next.tool.failed is published.
func (s *Simulator) v2Routes(m *http.ServeMux) {
	m.HandleFunc("POST /api/session", s.v2Create)
	m.HandleFunc("GET /api/session/{session}", s.v2Get)
	m.HandleFunc("POST /api/session/{session}/prompt", s.v2Prompt)
	m.HandleFunc("POST /api/session/{session}/interrupt", s.v2Interrupt)
	m.HandleFunc("GET /api/question/request", s.v2Requests)
	m.HandleFunc("GET /api/session/{session}/question", s.v2Questions)
	m.HandleFunc("POST /api/session/{session}/question/{id}/reply", s.v2Reply)
	m.HandleFunc("POST /api/session/{session}/question/{id}/reject", s.v2Reject)
	s.v2PermissionRoutes(m)
	s.v2MessageRoutes(m)
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

func (s *Simulator) v2Create(w http.ResponseWriter, r *http.Request) {
	o, ok := s.is.object(w, r)
	if !ok {
		return
	}
	dir := s.directory(r)
	if at, ok := o["location"].(map[string]any); ok {
		dir, _ = at["directory"].(string)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	ses := s.newSession(s.instance(dir), "", "")
	ses.v2 = true
	writeJSON(w, http.StatusOK, map[string]any{"data": ses.v2JSON()})
}

// withV2 is withSession with the error shape of these routes.
func (s *Simulator) withV2(w http.ResponseWriter, r *http.Request, serve func(*session)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := r.PathValue("session")
	if ses := s.sessions[id]; ses != nil {
		serve(ses)
		return
	}
	writeJSON(w, http.StatusNotFound, map[string]string{
		"_tag": "SessionNotFoundError", "sessionID": id, "message": "Session not found: " + id,
	})
}

func (s *Simulator) v2Get(w http.ResponseWriter, r *http.Request) {
	s.withV2(w, r, func(ses *session) {
		writeJSON(w, http.StatusOK, map[string]any{"data": ses.v2JSON()})
	})
}

func (s *Simulator) v2Prompt(w http.ResponseWriter, r *http.Request) {
	o, ok := s.is.object(w, r)
	if !ok {
		return
	}
	prompt, _ := o["prompt"].(map[string]any)
	text, ok := prompt["text"].(string)
	if !ok {
		badRequest(w, "Payload", "Missing key\n  at [\"prompt\"][\"text\"]")
		return
	}
	s.withV2(w, r, func(ses *session) {
		p := textPrompt(ses, s.instance(ses.info.Directory), text)
		s.takePrompt(ses, p)
		writeJSON(w, http.StatusOK, map[string]any{"data": map[string]any{"sessionID": ses.info.ID}})
	})
}

// v2Interrupt aborts the turn and, unlike the older route, drops its pending
// questions and permissions; no event of theirs says so.
func (s *Simulator) v2Interrupt(w http.ResponseWriter, r *http.Request) {
	s.withV2(w, r, func(ses *session) {
		inst := s.instance(ses.info.Directory)
		for _, p := range append([]*pending(nil), inst.pending...) {
			if p.sessionID == ses.info.ID {
				inst.remove(p)
				s.bus.publish(inst.dir, "session.next.tool.failed", map[string]any{
					"sessionID": ses.info.ID, "callID": p.call.part.CallID,
				})
			}
		}
		if ses.turn != nil {
			s.abort(ses)
		}
		w.WriteHeader(http.StatusNoContent)
	})
}

func (s *Simulator) v2Requests(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	inst := s.instance(s.v2Directory(r))
	writeJSON(w, http.StatusOK, map[string]any{
		"location": v2Location{inst.dir}, "data": inst.v2Pending(func(*pending) bool { return true }),
	})
}

func (s *Simulator) v2Directory(r *http.Request) string {
	if dir := r.URL.Query().Get("location[directory]"); dir != "" {
		return dir
	}
	return s.opts.Directory
}

func (s *Simulator) v2Questions(w http.ResponseWriter, r *http.Request) {
	s.withV2(w, r, func(ses *session) {
		own := func(p *pending) bool { return p.sessionID == ses.info.ID }
		list := s.instance(ses.info.Directory).v2Pending(own)
		writeJSON(w, http.StatusOK, map[string]any{"data": list})
	})
}

func (i *instance) v2Pending(match func(*pending) bool) []*questionRequest {
	list := []*questionRequest{}
	for _, p := range i.pending {
		if p.v2 && p.question != nil && match(p) {
			list = append(list, p.question)
		}
	}
	return list
}

func (s *Simulator) v2Reply(w http.ResponseWriter, r *http.Request) {
	answers, ok := s.is.answers(w, r)
	if ok {
		s.v2Settle(w, r, func(p *pending) { s.answer(p, answers) })
	}
}

func (s *Simulator) v2Reject(w http.ResponseWriter, r *http.Request) {
	s.v2Settle(w, r, s.reject)
}

func (s *Simulator) v2Settle(w http.ResponseWriter, r *http.Request, act func(*pending)) {
	s.withV2(w, r, func(ses *session) {
		id := r.PathValue("id")
		s.attempts[strings.Clone(id)]++
		p := s.instance(ses.info.Directory).find(id)
		if p == nil || !p.v2 || p.sessionID != ses.info.ID || !strings.HasPrefix(id, "que") {
			s.is.notPending(w, "Question", id)
			return
		}
		act(p)
		w.WriteHeader(http.StatusNoContent)
	})
}
