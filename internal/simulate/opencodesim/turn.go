package opencodesim

import (
	"fmt"
	"strings"
	"time"

	"hermes/internal/simulate/opencodesim/model"
)

// turn is the agent's work on one prompt, from busy to idle.
type turn struct {
	ses       *session
	inst      *instance
	user      *message
	assistant *message // of the step under way
	open      int      // tool calls that are not settled
	outputs   []string // of the settled calls of this step
	blocked   string   // why a reject ends the turn after this step
	aborted   bool
	said      string // what a subagent hands to its parent
	speaking  *part  // a text that goes on
	diffs     []fileDiff
}

// call is one tool call of a turn.
type call struct {
	turn  *turn
	part  *part
	input any
	shown bool // its part is running, with the input
}

// live tells whether the agent still waits for the call.
func (c *call) live() bool {
	return !c.turn.aborted && !c.turn.ses.deleted && c.turn.ses.turn == c.turn
}

// beginTurn starts a turn on a stored prompt: the session is busy.
func (s *Simulator) beginTurn(ses *session, inst *instance, user *message) *turn {
	t := &turn{ses: ses, inst: inst, user: user}
	ses.turn = t
	s.touch(ses)
	s.bus.setStatus(inst, ses, "busy")
	s.step(t)
	s.bus.setStatus(inst, ses, "busy")
	return t
}

// step opens the assistant message of the next step.
func (s *Simulator) step(t *turn) {
	t.assistant = &message{info: messageInfo{
		ID: s.mint.Ascending("msg"), SessionID: t.ses.info.ID, Role: "assistant",
		Time: messageTime{Created: time.Now().UnixMilli()}, Agent: t.user.info.Agent,
		ParentID: t.user.info.ID, ModelID: t.ses.model.ModelID, ProviderID: t.ses.model.ProviderID,
		Cost: new(int), Tokens: new(tokens),
	}}
	t.outputs = nil
	t.ses.messages = append(t.ses.messages, t.assistant)
	s.publishMessage(t.inst, t.assistant)
}

// openCall adds a tool call to the turn's step. announce makes known what the tool
// asks for; 1.1.53 does so before the call is in the message, newer versions
// between its pending and its running state.
func (s *Simulator) openCall(t *turn, tool string, input any, announce func(*call)) *call {
	c := &call{turn: t, input: input, part: &part{
		ID: s.mint.Ascending("prt"), SessionID: t.ses.info.ID, MessageID: t.assistant.info.ID,
		Type: "tool", Tool: tool, CallID: s.mint.Ascending("call"),
		State: &toolState{Status: "pending", Input: struct{}{}, Raw: new(string)},
	}}
	t.open++
	s.hush(t)
	if s.is.modern {
		s.addCall(c)
	}
	announce(c)
	if c.live() {
		s.show(c)
	}
	return c
}

// addCall puts a call into its message, pending: its input is not there yet.
func (s *Simulator) addCall(c *call) {
	t := c.turn
	if len(t.assistant.parts) == 0 {
		s.addPart(t, &part{Type: "step-start"})
	}
	t.assistant.parts = append(t.assistant.parts, c.part)
	s.publishPart(t.inst, c.part)
}

// show makes a call run, with its input.
func (s *Simulator) show(c *call) {
	if c.shown {
		return
	}
	c.shown = true
	if !s.is.modern {
		s.addCall(c)
	}
	c.part.State = &toolState{Status: "running", Input: c.input, Time: &partTime{Start: time.Now().UnixMilli()}}
	s.publishPart(c.turn.inst, c.part)
}

// complete settles a call with its output.
func (s *Simulator) complete(c *call, title, output string, metadata map[string]any) {
	s.show(c)
	st := c.part.State
	st.Status, st.Title, st.Output, st.Metadata = "completed", &title, &output, metadata
	s.settle(c, output)
}

// fail settles a call with an error text.
func (s *Simulator) fail(c *call, text string) {
	s.show(c)
	c.part.State.Status, c.part.State.Error = "error", s.is.toolPrefix+text
	s.settle(c, s.is.toolPrefix+text)
}

func (s *Simulator) settle(c *call, output string) {
	t := c.turn
	c.part.State.Time.End = time.Now().UnixMilli()
	s.publishPart(t.inst, c.part)
	s.End(c.part.CallID, output)
	t.outputs = append(t.outputs, output)
	if t.open--; t.open == 0 {
		s.endStep(t)
	}
}

// endStep goes on when every call of the step is settled: the model sees the
// results and says them, unless a reject ended the turn. Prompts that came in
// the meantime are seen with the results, and the last of them is followed.
func (s *Simulator) endStep(t *turn) {
	s.finishMessage(t, "tool-calls")
	if t.blocked != "" {
		s.endTurn(t)
		return
	}
	echo, waiting := model.Echo(t.outputs...), t.ses.queue
	t.ses.queue = nil
	s.bus.setStatus(t.inst, t.ses, "busy")
	if len(waiting) == 0 {
		s.step(t)
		s.say(t, echo)
		return
	}
	last := waiting[len(waiting)-1]
	t.user = last.message
	s.step(t)
	s.follow(t, last.prompt)
}

// say ends the turn with a text of the agent.
func (s *Simulator) say(t *turn, text string) {
	p := s.speaks(t)
	p.Text += text
	p.Time.End = time.Now().UnixMilli()
	t.said, t.speaking = p.Text, nil
	s.publishPart(t.inst, p)
	s.finishMessage(t, "stop")
	s.bus.setStatus(t.inst, t.ses, "busy")
	s.endTurn(t)
}

func (s *Simulator) finishMessage(t *turn, reason string) {
	s.addPart(t, &part{Type: "step-finish", Reason: reason})
	t.assistant.info.Finish = reason
	t.assistant.info.Tokens = &tokens{Input: 10, Output: 5}
	s.publishMessage(t.inst, t.assistant)
	t.assistant.info.Time.Completed = time.Now().UnixMilli()
	s.publishMessage(t.inst, t.assistant)
}

// endTurn makes the session idle and hands a subagent's words to its parent.
// Prompts that wait are not followed: after a reject OpenCode drops them.
func (s *Simulator) endTurn(t *turn) {
	ses := t.ses
	ses.turn, ses.queue = nil, nil
	t.user.info.Summary = &summary{Diffs: append([]fileDiff{}, t.diffs...)}
	s.bus.setIdle(t.inst, ses)
	ses.tell()
	if parent := ses.parent; parent != nil && parent.live() {
		ses.parent = nil
		s.endTask(parent, t)
	}
}

func (b *eventBus) setStatus(inst *instance, ses *session, kind string) {
	inst.busy[ses.info.ID] = true
	b.publish(inst.dir, "session.status", statusEvent(ses.info.ID, kind))
}

func (b *eventBus) setIdle(inst *instance, ses *session) {
	delete(inst.busy, ses.info.ID)
	b.publishIdle(inst, ses.info.ID)
}

func (b *eventBus) publishIdle(inst *instance, id string) {
	b.publish(inst.dir, "session.status", statusEvent(id, "idle"))
	b.publish(inst.dir, "session.idle", map[string]any{"sessionID": id})
}

func statusEvent(id, kind string) map[string]any {
	return map[string]any{"sessionID": id, "status": map[string]string{"type": kind}}
}

func agentOf(ses *session) string {
	if ses.info.Agent != "" {
		return ses.info.Agent
	}
	return "build"
}

func joinLines(texts []string) string { return strings.Join(texts, "\n") }

// Speak makes the agent of a session say a piece of its next text, which goes on until
// Say or a tool call ends it. A session that is idle starts a turn. It panics if the session does not
// exist or waits for a tool call.
func (s *Simulator) Speak(session, piece string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ses := s.sessions[session]
	if ses == nil {
		panic(fmt.Sprintf("simulator: there is no session %q", session))
	}
	t := s.turnFor(ses.info.Directory, session, "Speak.")
	if t.open > 0 {
		panic(fmt.Sprintf("simulator: session %q waits for a tool call", session))
	}
	p := s.speaks(t)
	p.Text += piece
	s.bus.publishPiece(t, p, piece)
}

// speaks is the text that the turn is about to say.
func (s *Simulator) speaks(t *turn) *part {
	if t.speaking == nil {
		s.addPart(t, &part{Type: "step-start"})
		t.speaking = &part{Type: "text", Time: &partTime{Start: time.Now().UnixMilli()}}
		if s.is.modern {
			s.addPart(t, t.speaking)
		} else {
			s.place(t, t.speaking)
		}
	}
	return t.speaking
}

// hush ends the text that goes on, if there is one.
func (s *Simulator) hush(t *turn) {
	if p := t.speaking; p != nil {
		p.Time.End, t.speaking = time.Now().UnixMilli(), nil
		s.publishPart(t.inst, p)
	}
}

// publishPiece tells of a piece: new versions tell it alone, 1.1.53 the whole text as
// well (measured on 1.1.53 and 1.18.33).
func (b *eventBus) publishPiece(t *turn, p *part, piece string) {
	if b.is.modern {
		b.publish(t.inst.dir, "message.part.delta", deltaEvent{p.SessionID, p.MessageID, p.ID, "text", piece})
		return
	}
	b.publish(t.inst.dir, "message.part.updated", pieceEvent{p, piece})
}

type pieceEvent struct {
	Part  *part  `json:"part"`
	Delta string `json:"delta"`
}

type deltaEvent struct {
	SessionID string `json:"sessionID"`
	MessageID string `json:"messageID"`
	PartID    string `json:"partID"`
	Field     string `json:"field"`
	Delta     string `json:"delta"`
}
