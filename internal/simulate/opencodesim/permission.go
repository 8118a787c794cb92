package opencodesim

import (
	"net/http"
	"slices"

	"hermes/internal/simulate/opencodesim/model"
)

// use makes a tool call in the turn's step. It asks for what is not granted yet and
// returns the open request, or nil when the call is carried out at once.
func (s *Simulator) use(t *turn, u toolUse) (*pending, *call) {
	var p *pending
	c := s.openCall(t, u.tool, u.input, func(c *call) { p = s.askNext(c, u) })
	if p == nil {
		s.carryOut(c, u)
	}
	return p, c
}

// askNext opens the request for the first of a call's asks that is not granted.
func (s *Simulator) askNext(c *call, u toolUse) *pending {
	for len(u.asks) > 0 {
		want := u.asks[0]
		u.asks = u.asks[1:]
		if !c.turn.inst.grants(want) {
			return s.askPermission(c, want, u)
		}
	}
	return nil
}

func (s *Simulator) askPermission(c *call, want Permission, then toolUse) *pending {
	t := c.turn
	p := &pending{
		id: s.mint.Ascending("per"), sessionID: t.ses.info.ID, inst: t.inst, turn: t, call: c, then: then,
	}
	if want.Metadata == nil {
		want.Metadata = map[string]any{}
	}
	p.permission = &permissionRequest{ID: p.id, SessionID: p.sessionID, Permission: want}
	if want.Permission != "doom_loop" { // which names no call in either version
		p.permission.Tool = &toolRef{c.part.MessageID, c.part.CallID}
	}
	t.inst.pending = append(t.inst.pending, p)
	s.bus.publish(t.inst.dir, p.event("asked"), p.permission)
	return p
}

// decide settles a pending permission request; reply is once, always or reject. A
// reject takes all other open permissions of the session with it, also those of a
// newer turn; an always those that the new rules cover. A reject with a message
// lets the agent go on, unless others were rejected with it.
func (s *Simulator) decide(p *pending, reply, message string) {
	if reply == "always" {
		p.inst.grant(p.permission.Permission)
	}
	s.decideOne(p, reply, message)
	for _, other := range slices.Clone(p.inst.pending) {
		if other.permission == nil || other.sessionID != p.sessionID {
			continue
		}
		if reply == "reject" || reply == "always" && p.inst.grants(other.permission.Permission) {
			s.decideOne(other, reply, "")
		}
	}
}

func (s *Simulator) decideOne(p *pending, reply, message string) {
	p.inst.remove(p)
	s.bus.publish(p.inst.dir, p.event("replied"), map[string]any{
		"sessionID": p.sessionID, "requestID": p.id, "reply": reply,
	})
	if !p.call.live() {
		s.decideLeak(p, reply)
		return
	}
	s.Reply(p.id, p.call.part.CallID, [][]string{{reply}})
	s.later(func() {
		switch {
		case !p.call.live():
		case reply == "reject":
			s.refuseCall(p, message)
		case s.askNext(p.call, p.then) == nil:
			s.carryOut(p.call, p.then)
		}
	})
}

// decideLeak settles a request that outlived its turn. A grant is carried out all
// the same: a file is written; a command is started and then killed, and one that
// takes no time is done by then. The tool part does not tell: on 1.1.53 it stays
// running, on newer versions it stays the error of the abort.
func (s *Simulator) decideLeak(p *pending, reply string) {
	switch {
	case reply != "reject" && s.askNext(p.call, p.then) != nil:
		return
	case reply != "reject":
		s.effect(p.call, p.then)
	}
	if reply == "reject" || p.turn.ses.deleted {
		s.settleLeak(p, leakOutcome(reply))
	}
}

func leakOutcome(reply string) string {
	if reply == "reject" {
		return "error"
	}
	return "completed"
}

// effect is what a granted call does to the world.
func (s *Simulator) effect(c *call, u toolUse) {
	s.Run(c.part.CallID)
	c.turn.diffs = append(c.turn.diffs, s.is.diffsOf(c, u)...)
	for _, file := range u.makes {
		s.files[file] = true
	}
}

func (s *Simulator) carryOut(c *call, u toolUse) {
	s.effect(c, u)
	metadata := map[string]any{"truncated": false}
	for key, value := range u.more {
		metadata[key] = value
	}
	s.complete(c, u.title, u.output, metadata)
}

const (
	refused  = "The user rejected permission to use this specific tool call."
	feedback = "The user rejected permission to use this specific tool call with the following feedback: "
)

// refuseCall fails a rejected call.
func (s *Simulator) refuseCall(p *pending, message string) {
	if message != "" {
		s.fail(p.call, feedback+message)
		return
	}
	p.turn.blocked = refused
	s.fail(p.call, refused)
}

// rule is what an always has granted: this permission for what the pattern
// matches, in every session of the directory's instance.
type rule struct {
	permission string
	pattern    string
}

// grant adds the rules of an always.
func (i *instance) grant(p Permission) {
	for _, pattern := range p.Always {
		i.rules = append(i.rules, rule{p.Permission, pattern})
	}
}

// grants tells whether nothing of an ask is left to be asked.
func (i *instance) grants(p Permission) bool {
	for _, text := range p.Patterns {
		if !slices.ContainsFunc(i.rules, func(r rule) bool { return r.permission == p.Permission && model.Covers(r.pattern, text) }) {
			return false
		}
	}
	return true
}

func (s *Simulator) listPermissions(r *http.Request) answer {
	list := []*permissionRequest{}
	for _, p := range s.instanceFor(r).pending {
		if p.permission != nil {
			list = append(list, p.permission)
		}
	}
	return ok(list)
}

// decision is what a reply to a permission request says.
type decision struct{ Reply, Message string }

func readDecision(r *http.Request) (d decision) {
	read(r, &d)
	if !slices.Contains([]string{"once", "always", "reject"}, d.Reply) {
		panic(invalid())
	}
	return d
}

func (s *Simulator) replyPermission(r *http.Request) answer {
	d, id := readDecision(r), s.attempted(r)
	p := s.instanceFor(r).find(id)
	if p == nil || p.permission == nil {
		return s.is.notPending("Permission", id)
	}
	s.decide(p, d.Reply, d.Message)
	return ok(true)
}
