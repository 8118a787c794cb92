package opencodesim

import (
	"time"
)

// Abort stops a session's turn as POST /session/{id}/abort does, with the
// turns of its subagents. Requests of these turns stay listed although no agent
// waits for them any more; a reply to one is taken and changes nothing.
func (s *Simulator) Abort(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ses := s.sessions[id]; ses != nil && ses.turn != nil {
		s.abort(ses)
	}
}

// abortFrom aborts a session as a request that reached inst does. Where there
// is nothing to abort idle events come all the same: for a session that does
// not exist, and on 1.1.53 for one that is at work in another instance, which
// goes on.
func (s *Simulator) abortFrom(inst *instance, id string) {
	ses := s.sessions[id]
	if ses != nil && ses.turn != nil && (s.is.modern || ses.turn.inst == inst) {
		s.abort(ses)
		return
	}
	s.bus.publishIdle(inst, id)
}

func (s *Simulator) abort(ses *session) {
	t := ses.turn
	if s.is.modern {
		if s.cancelTasks(t); t.aborted || ses.turn != t {
			s.bus.setIdle(t.inst, ses)
			return
		}
	}
	t.aborted, ses.turn, ses.queue = true, nil, nil
	ses.tell()
	if s.is.modern {
		s.bus.publishAborted(t)
		s.bus.setIdle(t.inst, ses)
		s.interruptCalls(t, map[string]any{"interrupted": true})
		return
	}
	s.bus.setIdle(t.inst, ses)
	s.abortChildren(ses)
}

// cancelTasks is what an abort of a session with a working subagent comes to
// on newer versions: the subagent's turn is aborted, and the session's own goes
// on with "Task cancelled" to its end.
func (s *Simulator) cancelTasks(t *turn) {
	for _, child := range s.children(t.ses.info.ID) {
		if c := child.parent; child.turn != nil && c != nil && c.turn == t {
			child.parent = nil
			s.abort(child)
			s.fail(c, "Task cancelled")
		}
	}
}

func (s *Simulator) abortChildren(ses *session) {
	for _, child := range s.children(ses.info.ID) {
		if child.turn != nil {
			s.abort(child)
		}
	}
}

func (b *eventBus) publishAborted(t *turn) {
	b.publishError(t, b.is.abortError())
}

func (b *eventBus) publishError(t *turn, why *sessionFail) {
	b.publish(t.inst.dir, "session.error", map[string]any{"sessionID": t.ses.info.ID, "error": why})
}

func (is behaviour) abortError() *sessionFail {
	return &sessionFail{"MessageAbortedError", map[string]string{"message": is.abortText}}
}

// interruptCalls ends the running calls of an aborted turn and its message.
func (s *Simulator) interruptCalls(t *turn, metadata map[string]any) {
	for _, p := range t.assistant.parts {
		if p.Type != "tool" || p.State.Status != "running" && p.State.Status != "pending" {
			continue
		}
		if p.State.Time == nil {
			p.State.Time = &partTime{Start: time.Now().UnixMilli()}
		}
		p.State.Status, p.State.Error, p.State.Metadata = "error", "Tool execution aborted", metadata
		p.State.Time.End = time.Now().UnixMilli()
		s.publishPart(t.inst, p)
	}
	t.assistant.info.Error = s.is.abortError()
	t.assistant.info.Time.Completed = time.Now().UnixMilli()
	s.publishMessage(t.inst, t.assistant)
	s.bus.setIdle(t.inst, t.ses)
}

// settleLeak is what follows when a request is settled that outlived its turn
// or its session.
func (s *Simulator) settleLeak(p *pending, outcome string) {
	switch {
	case p.turn.ses.deleted && !p.turn.aborted:
		s.settleDeleted(p, outcome)
	case p.turn.aborted && !s.is.modern:
		s.endAborted(p.turn)
	}
}

// endAborted is the late end of an aborted turn on 1.1.53: only when the
// leaked request is settled come session.error and idle events, even while the
// session works on something newer, and make a busy session look idle. The same
// follows for the turn that waited for a subagent.
func (s *Simulator) endAborted(t *turn) {
	s.bus.publishAborted(t)
	s.bus.setIdle(t.inst, t.ses)
	s.interruptCalls(t, nil)
	if parent := t.ses.parent; parent != nil && parent.turn.aborted {
		t.ses.parent = nil
		s.endAborted(parent.turn)
	}
}

// settleDeleted ends the turn of a deleted session. 1.1.53 settles the tool
// part and is idle; newer versions fail to write to the database. Neither asks
// the model again.
func (s *Simulator) settleDeleted(p *pending, outcome string) {
	t := p.turn
	if t.ses.turn != t {
		return
	}
	t.ses.turn = nil
	if !s.is.modern {
		s.show(p.call)
		p.call.part.State.Status = outcome
		s.publishPart(t.inst, p.call.part)
		s.bus.setIdle(t.inst, t.ses)
		return
	}
	s.bus.publishError(t, &sessionFail{"UnknownError", map[string]string{"message": "Failed query: insert into \"part\""}})
	s.bus.setIdle(t.inst, t.ses)
	s.bus.setIdle(t.inst, t.ses)
}
