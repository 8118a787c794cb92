package opencodesim

import (
	"net/http"
	"strings"
)

// v2PermissionRoutes are the permission routes of the new runner. Its asks carry no
// metadata, a command is asked for as a whole, and what is granted always is kept on
// disk for the project.
func (s *Simulator) v2PermissionRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /api/permission/request", s.v2PermissionRequests)
	m.HandleFunc("GET /api/permission/saved", s.v2Saved)
	m.HandleFunc("GET /api/session/{session}/permission", s.v2Permissions)
	m.HandleFunc("POST /api/session/{session}/permission/{id}/reply", s.v2Decide)
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

// asked is a permission request as the runner of its session tells it.
func (p *pending) asked() any {
	if !p.v2 {
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

func (i *instance) v2Asks(match func(*pending) bool) []any {
	list := []any{}
	for _, p := range i.pending {
		if p.v2 && p.permission != nil && match(p) {
			list = append(list, p.asked())
		}
	}
	return list
}

func (s *Simulator) v2PermissionRequests(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	inst := s.instance(s.v2Directory(r))
	writeJSON(w, http.StatusOK, map[string]any{
		"location": v2Location{inst.dir}, "data": inst.v2Asks(func(*pending) bool { return true }),
	})
}

func (s *Simulator) v2Permissions(w http.ResponseWriter, r *http.Request) {
	s.withV2(w, r, func(ses *session) {
		own := func(p *pending) bool { return p.sessionID == ses.info.ID }
		writeJSON(w, http.StatusOK, map[string]any{"data": s.instance(ses.info.Directory).v2Asks(own)})
	})
}

func (s *Simulator) v2Saved(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []any{}
	project := projectID(s.v2Directory(r))
	for _, p := range s.saved[project] {
		for _, resource := range p.Always {
			list = append(list, map[string]string{
				"id": "psv_" + projectID(resource), "projectID": project, "action": p.Permission, "resource": resource,
			})
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{"data": list})
}

func (s *Simulator) v2Decide(w http.ResponseWriter, r *http.Request) {
	o, ok := s.is.object(w, r)
	if !ok {
		return
	}
	reply, _ := o["reply"].(string)
	if !isReply(reply) {
		writeJSON(w, http.StatusBadRequest, map[string]string{
			"_tag": "InvalidRequestError", "kind": "Payload",
			"message": "Expected PermissionV2.Reply, got " + show(o["reply"]) + "\n  at [\"reply\"]",
		})
		return
	}
	message, _ := o["message"].(string)
	s.withV2(w, r, func(ses *session) {
		id := r.PathValue("id")
		s.attempts[strings.Clone(id)]++
		p := s.instance(ses.info.Directory).find(id)
		if p == nil || !p.v2 || p.permission == nil || p.sessionID != ses.info.ID {
			s.is.notPending(w, "Permission", id)
			return
		}
		s.decide(p, reply, message)
		w.WriteHeader(http.StatusNoContent)
	})
}
