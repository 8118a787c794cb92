package opencode2sim

import (
	"encoding/json"
	"fmt"
	"time"

	"hermes/internal/simulate/opencodesim/model"
)

// stepper is what the model does in one step of a turn.
type stepper struct{ *runner }

// follow lets the model act on a prompt.
func (r *stepper) follow(t *turn, prompt string) { r.act(t, r.opts.Model.Act(prompt)) }

// act is one step of the model: it fails, says something, or calls tools.
func (r *stepper) act(t *turn, actions []model.Action) {
	if wait := actions[0].Delay; wait > 0 {
		actions[0].Delay = 0
		r.after(t, wait, func() { r.act(t, actions) })
		return
	}
	if actions[0].Status != 0 {
		r.refuse(t, actions, 1)
		return
	}
	if t.step == nil {
		r.open(t)
	}
	if actions[0].Tool == "" {
		r.tell(t, actions)
		return
	}
	r.call(t, actions)
}

// tell says the texts of a step one after the other, each when its time has come.
func (r *stepper) tell(t *turn, texts []model.Action) {
	if len(texts) == 1 {
		r.say(t, texts[0].Text)
		return
	}
	r.speak(t, texts[0].Text)
	r.after(t, texts[1].Delay, func() { r.tell(t, texts[1:]) })
}

// open starts a step.
func (r *stepper) open(t *turn) {
	t.step = &message{
		id: r.disk.mint.Ascending("msg"), kind: "assistant", created: now(),
		agent: t.ses.agentName(), model: r.modelOf(t.ses),
	}
	t.calls, t.open = nil, 0
	t.ses.messages = append(t.ses.messages, t.step)
	r.inStep(t, "session.step.started", data{"agent": t.step.agent, "model": t.step.model, "snapshot": snapshotID})
}

// inStep publishes an event of the step that is under way.
func (r *stepper) inStep(t *turn, kind string, properties data) {
	properties["assistantMessageID"] = t.step.id
	r.bus.about(t.ses, kind, properties)
}

// call makes the tool calls of a step. Questions are asked as their call is read,
// everything else after the last was (captures 04, 05). The step ends when all are
// settled, not before the last is made.
func (r *stepper) call(t *turn, actions []model.Action) {
	t.open++
	var calls []*call
	for _, a := range actions {
		calls = append(calls, r.draft(t, a))
	}
	for i, a := range actions {
		r.announce(calls[i], a.Args)
		if toolName(a) == "question" {
			r.tools.run(calls[i], a)
		}
	}
	for i, a := range actions {
		if toolName(a) != "question" {
			r.tools.run(calls[i], a)
		}
	}
	if t.open--; t.open == 0 && t.live() {
		r.endStep(t)
	}
}

// draft starts the input of a tool call; what the agent was saying is said.
func (r *stepper) draft(t *turn, a model.Action) *call {
	r.hush(t)
	c := &call{turn: t, part: &part{
		call: r.disk.mint.Ascending("call"), tool: toolName(a), status: "running", created: now(),
		input: json.RawMessage(a.Args),
	}}
	t.step.parts = append(t.step.parts, c.part)
	t.calls = append(t.calls, c)
	t.open++
	r.inStep(t, "session.tool.input.started", data{r.names.call: c.part.call, "name": c.part.tool})
	r.inStep(t, "session.tool.input.delta", data{r.names.call: c.part.call, "delta": string(a.Args)})
	return c
}

func (r *stepper) announce(c *call, args json.RawMessage) {
	c.part.ran = now()
	r.inStep(c.turn, "session.tool.input.ended", data{r.names.call: c.part.call, "text": string(args)})
	r.inStep(c.turn, "session.tool.called", data{r.names.call: c.part.call, "input": args, "executed": false})
}

// complete settles a call with its result.
func (r *stepper) complete(c *call, result data, texts ...string) {
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
	r.inStep(c.turn, "session.tool.success", data{
		r.names.call: c.part.call, r.names.structured: object(result), "content": list(content), "executed": false,
	})
	r.settle(c, said)
}

// failure settles a call with an error, after which the model goes on. The model
// reads the error as JSON (captures 05, 07). A result is what events have beside it.
func (r *stepper) failure(c *call, kind, text, result string) {
	if c.settled || !c.turn.live() {
		return
	}
	r.failPart(c, &fault{kind, text}, result)
	r.settle(c, r.failed(c.part))
}

func (r *stepper) failPart(c *call, why *fault, result string) {
	c.part.status, c.part.fault, c.part.completed = "error", why, now()
	properties := data{r.names.call: c.part.call, "error": why, "executed": false}
	if result != "" {
		properties["result"] = data{"type": "error", "value": result}
	}
	r.inStep(c.turn, "session.tool.failed", properties)
}

// failed is what the model reads of a call that failed.
func (r *stepper) failed(p *part) string {
	return jsonText(failedResult{p.fault, list(p.content), object(p.result)})
}

// failedResult keeps the order of the keys (captures 05, 08).
type failedResult struct {
	Error      *fault `json:"error"`
	Content    []data `json:"content"`
	Structured data   `json:"structured"`
}

func (r *stepper) settle(c *call, said string) {
	c.settled = true
	r.record.End(c.part.call, said)
	c.turn.results = append(c.turn.results, said)
	if c.turn.open--; c.turn.open == 0 {
		r.endStep(c.turn)
	}
}

// abort settles a call whose form was dismissed or whose permission was rejected
// without a word: when the other calls of the step are settled too, it fails and the
// turn ends (section 3.3, capture 04).
func (r *stepper) abort(c *call, why string) {
	if c.settled || !c.turn.live() {
		return
	}
	c.settled, c.aborted, c.why = true, true, why
	if c.turn.open--; c.turn.open == 0 {
		r.endStep(c.turn)
	}
}

// endStep goes on when every call of a step is settled.
func (r *stepper) endStep(t *turn) {
	cut := false
	for _, c := range t.calls {
		if c.aborted {
			cut = true
			if t.closed {
				c.why = locationClosed
			}
			r.failPart(c, aborted(c.why), "")
			r.record.End(c.part.call, r.failed(c.part))
			t.results = append(t.results, r.failed(c.part))
		}
	}
	switch {
	case cut && t.closed:
		r.breakStep(t, aborted(stepInterrupted), true)
		r.advance(t)
		return
	case cut:
		r.breakStep(t, aborted(stepInterrupted), true)
		r.end(t, "interrupted", data{"reason": "shutdown"})
		return
	}
	r.closeStep(t, "tool-calls")
	r.advance(t)
}

func (r *stepper) closeStep(t *turn, finish string) {
	used := perStep()
	t.step.finish, t.step.used, t.step.completed, t.step.snapshot = finish, &used, now(), true
	r.inStep(t, "session.step.ended", data{
		"finish": finish, "cost": 0, "tokens": used, "snapshot": snapshotID, "files": texts(t.step.changed),
	})
	r.use(t.ses)
}

// breakStep ends a step that is interrupted or that the provider failed. If the model
// had finished speaking its use is counted (captures 04, 06, 15).
func (r *stepper) breakStep(t *turn, why *fault, finished bool) {
	t.step.finish, t.step.fault, t.step.completed, t.step.snapshot = "error", why, now(), true
	properties := data{"error": why, "snapshot": snapshotID, "files": texts(t.step.changed)}
	if finished {
		used := perStep()
		t.step.used = &used
		properties["cost"], properties["tokens"] = 0, used
	}
	r.inStep(t, "session.step.failed", properties)
	if finished {
		r.use(t.ses)
	}
}

// say ends a step, and the turn if nothing waits, with a text.
func (r *stepper) say(t *turn, text string) {
	r.speak(t, text)
	r.hush(t)
	r.closeStep(t, "stop")
	r.advance(t)
}

// speak adds to the text that the agent is saying.
func (r *stepper) speak(t *turn, piece string) {
	if t.text == nil {
		t.text = new(part)
		t.step.parts = append(t.step.parts, t.text)
		r.inStep(t, "session.text.started", data{"ordinal": 0})
	}
	t.text.text += piece
	if piece != "" {
		r.inStep(t, "session.text.delta", data{"ordinal": 0, "delta": piece})
	}
}

// hush ends the text that the agent is saying.
func (r *stepper) hush(t *turn) {
	if t.text == nil {
		return
	}
	t.said = t.text.text
	r.inStep(t, "session.text.ended", data{"ordinal": 0, "text": t.said})
	t.text = nil
}

// refuse is a provider that answers with an error: a 4xx ends the turn, a 5xx is tried
// again, 2, 4, 8 … seconds later, in the same step (section 2, captures 06, 15; how a step
// goes on that was tried again was not captured).
func (r *stepper) refuse(t *turn, actions []model.Action, attempt int) {
	if t.step == nil {
		r.open(t)
	}
	a := &actions[0]
	kind := "provider.invalid-request"
	if a.Status >= 500 {
		kind = "provider.internal"
	}
	why := &fault{kind, providerFault(a.Status)}
	if a.Status < 500 {
		r.breakStep(t, why, false)
		r.end(t, "failed", data{"error": why})
		return
	}
	wait := 2 * time.Second << min(attempt-1, 4)
	r.inStep(t, "session.retry.scheduled", data{"attempt": attempt + 1, "at": now() + wait.Milliseconds(), "error": why})
	r.after(t, wait, func() {
		if a.Times--; a.Times == 0 {
			a.Status = 0
			r.act(t, actions)
			return
		}
		r.refuse(t, actions, attempt+1)
	})
}

func providerFault(status int) string {
	return fmt.Sprintf(`Provider request failed with HTTP %d: {"error": {"message": "scripted failure", "type": "invalid_request_error", "code": "scripted"}}`, status)
}
