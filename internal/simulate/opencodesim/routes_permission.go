package opencodesim

import (
	"net/http"
	"strings"
)

func (s *Simulator) listPermissions(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []*permissionRequest{}
	for _, p := range s.instanceFor(r).pending {
		if p.permission != nil && !p.v2 {
			list = append(list, p.permission)
		}
	}
	writeJSON(w, http.StatusOK, list)
}

func (s *Simulator) replyPermission(w http.ResponseWriter, r *http.Request) {
	s.settlePermission(w, r, "reply")
}

// respondPermission is the older route, with "response" for "reply".
func (s *Simulator) respondPermission(w http.ResponseWriter, r *http.Request) {
	s.settlePermission(w, r, "response")
}

func (s *Simulator) settlePermission(w http.ResponseWriter, r *http.Request, key string) {
	if !s.is.prefixed(w, r, "per") {
		return
	}
	o, ok := s.is.object(w, r)
	if !ok {
		return
	}
	reply, _ := o[key].(string)
	if !isReply(reply) {
		s.is.refuseReply(w, o, key)
		return
	}
	message, ok := s.is.message(w, o)
	if ok {
		s.settlePermissionAs(w, r, reply, message)
	}
}

func isReply(word string) bool { return word == "once" || word == "always" || word == "reject" }

func (is behaviour) refuseReply(w http.ResponseWriter, o map[string]any, key string) {
	if is.modern {
		is.refuse(w, o, "string", `Expected "once" | "always" | "reject"`, o[key], key)
		return
	}
	writeJSON(w, http.StatusBadRequest, map[string]any{"data": o, "success": false, "error": []any{map[string]any{
		"code": "invalid_value", "values": []string{"once", "always", "reject"}, "path": []string{key},
		"message": `Invalid option: expected one of "once"|"always"|"reject"`,
	}}})
}

// message is the note of a reject, which 1.1.53 does not take as null.
func (is behaviour) message(w http.ResponseWriter, o map[string]any) (text string, ok bool) {
	given, there := o["message"]
	if !there || given == nil && is.modern {
		return "", true
	}
	if text, ok = given.(string); !ok {
		is.refuse(w, o, "string", "Expected string | null", given, "message")
	}
	return text, ok
}

func (s *Simulator) settlePermissionAs(w http.ResponseWriter, r *http.Request, reply, message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := r.PathValue("id")
	s.attempts[strings.Clone(id)]++
	p := s.instanceFor(r).find(id)
	if p == nil || p.permission == nil || p.v2 {
		s.is.notPending(w, "Permission", id)
		return
	}
	s.decide(p, reply, message)
	writeJSON(w, http.StatusOK, true)
}
