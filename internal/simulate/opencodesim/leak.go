package opencodesim

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
