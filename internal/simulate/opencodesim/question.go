package opencodesim

import (
	"fmt"
	"strings"
)

// result is what the agent got from one tool call.
type result struct {
	answers  [][]string
	answered bool
	output   string
	ended    bool
}

func (r result) with(output string) result {
	r.output, r.ended = output, true
	return r
}

// ask opens a question request in the turn's step.
func (s *Simulator) ask(t *turn, questions []Question) *pending {
	p := &pending{id: s.mint.Ascending("que"), sessionID: t.ses.info.ID, inst: t.inst, turn: t, v2: t.ses.v2}
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
	if p.v2 {
		name += ".v2"
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
	s.settled[p.id]++
	s.results[p.call.part.CallID] = result{answers: answers, answered: true}
	s.later(func() {
		if p.call.live() {
			s.complete(p.call, askedTitle(len(p.question.Questions)), answeredText(p.question.Questions, answers),
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
	s.settled[p.id]++
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

// answeredText is what the model reads. Answers are not checked: missing ones
// are Unanswered, those without a question are dropped.
func answeredText(questions []Question, answers [][]string) string {
	return "User has answered your questions: " + strings.Join(answersFor(questions, answers), ", ") +
		". You can now continue with the user's answers in mind."
}

func answersFor(questions []Question, answers [][]string) []string {
	pairs := make([]string, len(questions))
	for i, q := range questions {
		text := "Unanswered"
		if i < len(answers) && len(answers[i]) > 0 {
			text = strings.Join(answers[i], ", ")
		}
		pairs[i] = fmt.Sprintf(`"%s"="%s"`, q.Question, text)
	}
	return pairs
}
