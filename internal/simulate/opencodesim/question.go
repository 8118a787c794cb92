package opencodesim

import (
	"fmt"
	"net/http"

	"hermes/internal/simulate/opencodesim/model"
)

// ask opens a question request in the turn's step.
func (s *Simulator) ask(t *turn, questions []Question) *pending {
	p := &pending{id: s.mint.Ascending("que"), sessionID: t.ses.info.ID, inst: t.inst, turn: t}
	input := map[string]any{"questions": questions}
	p.call = s.openCall(t, "question", input, func(c *call) {
		p.question = &questionRequest{p.id, p.sessionID, questions, &toolRef{c.part.MessageID, c.part.CallID}}
		t.inst.pending = append(t.inst.pending, p)
		s.bus.publish(t.inst.dir, p.event("asked"), p.question)
	})
	return p
}

// event is the name of an event about the request.
func (p *pending) event(what string) string {
	name := "question"
	if p.permission != nil {
		name = "permission"
	}
	return name + "." + what
}

// answer settles a pending question. The request is gone and question.replied
// is published in any case; the agent gets the answers only if it still waits.
func (s *Simulator) answer(p *pending, answers [][]string) {
	p.inst.remove(p)
	s.bus.publish(p.inst.dir, p.event("replied"), map[string]any{
		"sessionID": p.sessionID, "requestID": p.id, "answers": answers,
	})
	if !p.call.live() {
		s.settleLeak(p, "completed")
		return
	}
	s.Reply(p.id, p.call.part.CallID, answers)
	s.later(func() {
		if p.call.live() {
			s.complete(p.call, askedTitle(len(p.question.Questions)), model.Answered(p.question.Questions, answers),
				map[string]any{"answers": answers, "truncated": false})
		}
	})
}

// reject dismisses a pending question; the agent's turn ends.
func (s *Simulator) reject(p *pending) {
	p.inst.remove(p)
	s.bus.publish(p.inst.dir, p.event("rejected"), map[string]any{"sessionID": p.sessionID, "requestID": p.id})
	if !p.call.live() {
		s.settleLeak(p, "error")
		return
	}
	s.Reply(p.id, p.call.part.CallID, nil)
	s.later(func() {
		if p.call.live() {
			p.turn.blocked = dismissed
			s.fail(p.call, dismissed)
		}
	})
}

const dismissed = "The user dismissed this question"

// askedTitle is the title of a question call; OpenCode writes "0 question".
func askedTitle(n int) string {
	if n > 1 {
		return fmt.Sprintf("Asked %d questions", n)
	}
	return fmt.Sprintf("Asked %d question", n)
}

func (s *Simulator) listQuestions(r *http.Request) answer {
	list := []*questionRequest{}
	for _, p := range s.instanceFor(r).pending {
		if p.question != nil {
			list = append(list, p.question)
		}
	}
	return ok(list)
}

func (s *Simulator) replyQuestion(r *http.Request) answer {
	given := answers(r)
	return s.settleQuestion(r, func(p *pending) { s.answer(p, given) })
}

func (s *Simulator) rejectQuestion(r *http.Request) answer { return s.settleQuestion(r, s.reject) }

func (s *Simulator) settleQuestion(r *http.Request, act func(*pending)) answer {
	id := s.attempted(r)
	p := s.instanceFor(r).find(id)
	if p == nil || p.question == nil {
		return s.is.notPending("Question", id)
	}
	act(p)
	return ok(true)
}

// attempted counts a reply to the request that the path names.
func (s *Simulator) attempted(r *http.Request) (id string) {
	id = r.PathValue("id")
	s.Attempt(id)
	return id
}
