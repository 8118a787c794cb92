package simulator

import "slices"

// askPermission opens a permission request in the turn's step, for a call of
// tool with this input.
func (s *Simulator) askPermission(t *turn, tool string, input any, want Permission) *pending {
	p := &pending{id: s.mint.ascending("per"), sessionID: t.ses.info.ID, inst: t.inst, turn: t}
	if want.Metadata == nil {
		want.Metadata = map[string]any{}
	}
	p.permission = &permissionRequest{ID: p.id, SessionID: p.sessionID, Permission: want}
	p.call = s.openCall(t, tool, input, func(c *call) {
		p.permission.Tool = &toolRef{c.part.MessageID, c.part.CallID}
		t.inst.pending = append(t.inst.pending, p)
		s.publish(t.inst.dir, p.event("asked"), p.permission)
	})
	return p
}

// decide settles a pending permission request; reply is once, always or
// reject. A reject takes all other open permissions of the session with it,
// always those whose patterns it covers. A reject with a message lets the agent
// go on.
func (s *Simulator) decide(p *pending, reply, message string) {
	s.decideOne(p, reply, message)
	for _, other := range slices.Clone(p.inst.pending) {
		if other.permission == nil || other.sessionID != p.sessionID {
			continue
		}
		if reply == "reject" || reply == "always" && covers(p, other) {
			s.decideOne(other, reply, "")
		}
	}
}

func covers(p, other *pending) bool {
	return p.permission.Permission.Permission == other.permission.Permission.Permission &&
		slices.Equal(p.permission.Always, other.permission.Always)
}

func (s *Simulator) decideOne(p *pending, reply, message string) {
	p.inst.remove(p)
	s.publish(p.inst.dir, "permission.replied", map[string]any{
		"sessionID": p.sessionID, "requestID": p.id, "reply": reply,
	})
	if !p.call.live() {
		if reply == "reject" { // a grant leaves the part as it is
			s.settleLeak(p, "error")
		}
		return
	}
	s.settled[p.id]++
	s.results[p.call.part.CallID] = result{answers: [][]string{{reply}}, answered: true}
	s.later(func() {
		if p.call.live() {
			s.act(p, reply, message)
		}
	})
}

func (s *Simulator) act(p *pending, reply, message string) {
	switch {
	case reply != "reject":
		s.complete(p.call, "ran", "done", map[string]any{"truncated": false})
	case message != "":
		s.fail(p.call, "The user rejected permission to use this specific tool call with the following feedback: "+message)
	default:
		p.turn.blocked = true
		s.fail(p.call, "The user rejected permission to use this specific tool call.")
	}
}
