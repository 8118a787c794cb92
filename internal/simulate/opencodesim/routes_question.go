package opencodesim

import (
	"fmt"
	"net/http"
	"strings"
)

func (s *Simulator) listQuestions(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []*questionRequest{}
	for _, p := range s.instanceFor(r).pending {
		if p.question != nil && !p.v2 {
			list = append(list, p.question)
		}
	}
	writeJSON(w, http.StatusOK, list)
}

func (s *Simulator) replyQuestion(w http.ResponseWriter, r *http.Request) {
	if !s.is.prefixed(w, r, "que") {
		return
	}
	answers, ok := s.is.answers(w, r)
	if !ok {
		return
	}
	s.settleQuestion(w, r, func(p *pending) { s.answer(p, answers) })
}

func (s *Simulator) rejectQuestion(w http.ResponseWriter, r *http.Request) {
	if s.is.prefixed(w, r, "que") {
		s.settleQuestion(w, r, s.reject)
	}
}

func (s *Simulator) settleQuestion(w http.ResponseWriter, r *http.Request, act func(*pending)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := r.PathValue("id")
	s.attempts[strings.Clone(id)]++
	p := s.instanceFor(r).find(id)
	if p == nil || p.question == nil || p.v2 {
		s.is.notPending(w, "Question", id)
		return
	}
	act(p)
	writeJSON(w, http.StatusOK, true)
}

// prefixed refuses an id that does not begin as its kind does; 1.1.53 does not
// look at question ids and fails on permission ids.
func (is behaviour) prefixed(w http.ResponseWriter, r *http.Request, prefix string) bool {
	id := r.PathValue("id")
	if strings.HasPrefix(id, prefix) {
		return true
	}
	if is.modern {
		badRequest(w, "Params", fmt.Sprintf("Expected a string starting with %q, got %q\n  at [\"requestID\"]", prefix, id))
		return false
	}
	if prefix == "per" {
		is.writeUnknownError(w)
		return false
	}
	return true
}
