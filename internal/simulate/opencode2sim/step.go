package opencode2sim

import (
	"encoding/json"
	"fmt"
	"time"

	"hermes/internal/simulate/opencodesim/model"
)

// follow lets the model act on a prompt.
func (s *Simulator) follow(t *turn, prompt string) { s.act(t, s.opts.Model.Act(prompt)) }

// act is one step of the model: it fails, says something, or calls tools.
func (s *Simulator) act(t *turn, actions []model.Action) {
	if wait := actions[0].Delay; wait > 0 {
		actions[0].Delay = 0
		s.after(t, wait, func() { s.act(t, actions) })
		return
	}
	if actions[0].Status != 0 {
		s.refuse(t, actions, 1)
		return
	}
	if t.step == nil {
		s.open(t)
	}
	if actions[0].Tool == "" {
		s.tell(t, actions)
		return
	}
	s.call(t, actions)
}

// tell says the texts of a step one after the other, each when its time has come.
func (s *Simulator) tell(t *turn, texts []model.Action) {
	if len(texts) == 1 {
		s.say(t, texts[0].Text)
		return
	}
	s.speak(t, texts[0].Text)
	s.after(t, texts[1].Delay, func() { s.tell(t, texts[1:]) })
}

// open starts a step.
func (s *Simulator) open(t *turn) {
	t.step = &message{
		id: s.disk.mint.Ascending("msg"), kind: "assistant", created: now(),
		agent: t.ses.agentName(), model: s.modelOf(t.ses),
	}
	t.calls, t.open = nil, 0
	t.ses.messages = append(t.ses.messages, t.step)
	s.inStep(t, "session.step.started", data{"agent": t.step.agent, "model": t.step.model, "snapshot": snapshotID})
}

// inStep publishes an event of the step that is under way.
func (s *Simulator) inStep(t *turn, kind string, properties data) {
	properties["assistantMessageID"] = t.step.id
	s.bus.about(t.ses, kind, properties)
}

// call makes the tool calls of a step. Questions are asked as their call is read,
// everything else after the last was (captures 04, 05). The step ends when all are
// settled, not before the last is made.
func (s *Simulator) call(t *turn, actions []model.Action) {
	t.open++
	var calls []*call
	for _, a := range actions {
		calls = append(calls, s.draft(t, a))
	}
	for i, a := range actions {
		s.announce(calls[i], a.Args)
		if toolName(a) == "question" {
			s.run(calls[i], a)
		}
	}
	for i, a := range actions {
		if toolName(a) != "question" {
			s.run(calls[i], a)
		}
	}
	if t.open--; t.open == 0 && t.live() {
		s.endStep(t)
	}
}

// draft starts the input of a tool call; what the agent was saying is said.
func (s *Simulator) draft(t *turn, a model.Action) *call {
	s.hush(t)
	c := &call{turn: t, part: &part{
		call: s.disk.mint.Ascending("call"), tool: toolName(a), status: "running", created: now(),
		input: json.RawMessage(a.Args),
	}}
	t.step.parts = append(t.step.parts, c.part)
	t.calls = append(t.calls, c)
	t.open++
	s.inStep(t, "session.tool.input.started", data{s.names.call: c.part.call, "name": c.part.tool})
	s.inStep(t, "session.tool.input.delta", data{s.names.call: c.part.call, "delta": string(a.Args)})
	return c
}

func (s *Simulator) announce(c *call, args json.RawMessage) {
	c.part.ran = now()
	s.inStep(c.turn, "session.tool.input.ended", data{s.names.call: c.part.call, "text": string(args)})
	s.inStep(c.turn, "session.tool.called", data{s.names.call: c.part.call, "input": args, "executed": false})
}

// complete settles a call with its result.
func (s *Simulator) complete(c *call, result data, texts ...string) {
	if c.settled || !c.turn.live() {
		return
	}
	var content []data
	said := ""
	for i, text := range texts {
		content = append(content, data{"type": "text", "text": text})
		if i > 0 {
			said += "\n"
		}
		said += text
	}
	c.part.status, c.part.content, c.part.result, c.part.completed = "completed", content, result, now()
	s.inStep(c.turn, "session.tool.success", data{
		s.names.call: c.part.call, s.names.structured: object(result), "content": list(content), "executed": false,
	})
	s.settle(c, said)
}

// failure settles a call with an error, after which the model goes on. The model
// reads the error as JSON (captures 05, 07). A result is what events have beside it.
func (s *Simulator) failure(c *call, kind, text, result string) {
	if c.settled || !c.turn.live() {
		return
	}
	s.failPart(c, &fault{kind, text}, result)
	s.settle(c, s.failed(c.part))
}

func (s *Simulator) failPart(c *call, why *fault, result string) {
	c.part.status, c.part.fault, c.part.completed = "error", why, now()
	properties := data{s.names.call: c.part.call, "error": why, "executed": false}
	if result != "" {
		properties["result"] = data{"type": "error", "value": result}
	}
	s.inStep(c.turn, "session.tool.failed", properties)
}

// failed is what the model reads of a call that failed.
func (s *Simulator) failed(p *part) string {
	return jsonText(failedResult{p.fault, list(p.content), object(p.result)})
}

// failedResult keeps the order of the keys (captures 05, 08).
type failedResult struct {
	Error      *fault `json:"error"`
	Content    []data `json:"content"`
	Structured data   `json:"structured"`
}

func (s *Simulator) settle(c *call, said string) {
	c.settled = true
	s.End(c.part.call, said)
	c.turn.results = append(c.turn.results, said)
	if c.turn.open--; c.turn.open == 0 {
		s.endStep(c.turn)
	}
}

// abort settles a call whose form was dismissed or whose permission was rejected
// without a word: when the other calls of the step are settled too, it fails and the
// turn ends (section 3.3, capture 04).
func (s *Simulator) abort(c *call, why string) {
	if c.settled || !c.turn.live() {
		return
	}
	c.settled, c.aborted, c.why = true, true, why
	if c.turn.open--; c.turn.open == 0 {
		s.endStep(c.turn)
	}
}

// endStep goes on when every call of a step is settled.
func (s *Simulator) endStep(t *turn) {
	cut := false
	for _, c := range t.calls {
		if c.aborted {
			cut = true
			if t.closed {
				c.why = locationClosed
			}
			s.failPart(c, aborted(c.why), "")
			s.End(c.part.call, s.failed(c.part))
			t.results = append(t.results, s.failed(c.part))
		}
	}
	switch {
	case cut && t.closed:
		s.breakStep(t, aborted(stepInterrupted), true)
		s.advance(t)
		return
	case cut:
		s.breakStep(t, aborted(stepInterrupted), true)
		s.end(t, "interrupted", data{"reason": "shutdown"})
		return
	}
	s.closeStep(t, "tool-calls")
	s.advance(t)
}

func (s *Simulator) closeStep(t *turn, finish string) {
	used := perStep()
	t.step.finish, t.step.used, t.step.completed, t.step.snapshot = finish, &used, now(), true
	s.inStep(t, "session.step.ended", data{
		"finish": finish, "cost": 0, "tokens": used, "snapshot": snapshotID, "files": texts(t.step.changed),
	})
	s.use(t.ses)
}

// breakStep ends a step that is interrupted or that the provider failed. If the model
// had finished speaking its use is counted (captures 04, 06, 15).
func (s *Simulator) breakStep(t *turn, why *fault, finished bool) {
	t.step.finish, t.step.fault, t.step.completed, t.step.snapshot = "error", why, now(), true
	properties := data{"error": why, "snapshot": snapshotID, "files": texts(t.step.changed)}
	if finished {
		used := perStep()
		t.step.used = &used
		properties["cost"], properties["tokens"] = 0, used
	}
	s.inStep(t, "session.step.failed", properties)
	if finished {
		s.use(t.ses)
	}
}

// say ends a step, and the turn if nothing waits, with a text.
func (s *Simulator) say(t *turn, text string) {
	s.speak(t, text)
	s.hush(t)
	s.closeStep(t, "stop")
	s.advance(t)
}

// speak adds to the text that the agent is saying.
func (s *Simulator) speak(t *turn, piece string) {
	if t.text == nil {
		t.text = new(part)
		t.step.parts = append(t.step.parts, t.text)
		s.inStep(t, "session.text.started", data{"ordinal": 0})
	}
	t.text.text += piece
	if piece != "" {
		s.inStep(t, "session.text.delta", data{"ordinal": 0, "delta": piece})
	}
}

// hush ends the text that the agent is saying.
func (s *Simulator) hush(t *turn) {
	if t.text == nil {
		return
	}
	t.said = t.text.text
	s.inStep(t, "session.text.ended", data{"ordinal": 0, "text": t.said})
	t.text = nil
}

// refuse is a provider that answers with an error: a 4xx ends the turn, a 5xx is tried
// again, 2, 4, 8 … seconds later, in the same step (section 2, captures 06, 15; how a step
// goes on that was tried again was not captured).
func (s *Simulator) refuse(t *turn, actions []model.Action, attempt int) {
	if t.step == nil {
		s.open(t)
	}
	a := &actions[0]
	kind := "provider.invalid-request"
	if a.Status >= 500 {
		kind = "provider.internal"
	}
	why := &fault{kind, providerFault(a.Status)}
	if a.Status < 500 {
		s.breakStep(t, why, false)
		s.end(t, "failed", data{"error": why})
		return
	}
	wait := 2 * time.Second << min(attempt-1, 4)
	s.inStep(t, "session.retry.scheduled", data{"attempt": attempt + 1, "at": now() + wait.Milliseconds(), "error": why})
	s.after(t, wait, func() {
		if a.Times--; a.Times == 0 {
			a.Status = 0
			s.act(t, actions)
			return
		}
		s.refuse(t, actions, attempt+1)
	})
}

func providerFault(status int) string {
	return fmt.Sprintf(`Provider request failed with HTTP %d: {"error": {"message": "scripted failure", "type": "invalid_request_error", "code": "scripted"}}`, status)
}
