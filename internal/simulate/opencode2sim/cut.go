package opencode2sim

import "fmt"

// interrupt ends a session's turn, with those of its subagents in the foreground. Its
// forms are cancelled; its permissions vanish without a word (sections 0 and 4,
// captures 04, 05, 07). Prompts that wait go on waiting.
func (r *runner) interrupt(ses *session) { r.cut(ses, "user") }

func (r *runner) cut(ses *session, reason string) {
	t := r.active[ses.info.ID]
	if t == nil {
		return
	}
	for _, c := range t.calls {
		if c.child != nil && c.child.live() {
			c.child.parent = nil
			r.cut(c.child.ses, reason)
		}
	}
	if reason == "user" {
		r.forms.withdraw(ses.info.ID)
		r.leaves.withdraw(ses)
	}
	t.done = true
	called := len(t.calls) > 0
	r.hush(t)
	for _, c := range t.calls {
		if c.part.running() {
			c.settled = true
			r.failPart(c, aborted(interrupted), "")
			r.record.ended(c.part.call, r.failed(c.part))
		}
	}
	if t.step != nil && t.step.finish == "" && (called || len(t.step.parts) > 0) {
		r.breakStep(t, aborted(stepInterrupted), called)
	}
	r.end(t, "interrupted", data{"reason": reason})
}

// delete removes a session and its subagents' sessions (section 5, capture 04).
func (r *runner) delete(ses *session) {
	for _, child := range r.disk.children(ses.info.ID) {
		r.delete(child)
	}
	r.interrupt(ses)
	r.forms.withdraw(ses.info.ID)
	r.forms.forget(ses.info.ID)
	r.bus.about(ses, "session.deleted", nil)
	r.disk.drop(ses)
}

// shutdown is a clean stop: what was at work is marked as interrupted and goes on
// with the next start (section 3.3, capture 08). Nobody hears of it.
func (r *runner) shutdown() {
	for _, ses := range r.disk.ordered() {
		t := r.active[ses.info.ID]
		if t == nil {
			continue
		}
		t.parent = nil
		calls := t.calls
		r.cut(ses, "shutdown")
		ses.resume = true
		ses.results = append([]string{}, t.results...)
		for _, c := range calls {
			if c.part.fault != nil {
				ses.results = append(ses.results, r.failed(c.part))
			}
		}
	}
}

// die is kill -9: nothing is written.
func (r *runner) die() {
	for id, t := range r.active {
		t.done = true
		r.disk.sessions[id].killed = r.opts.Shape == Release && !r.opts.Unsure.NoResume
	}
}

// maxRestarts is how often a turn goes on after a kill (section 3.3, [S]).
const maxRestarts = 10

// resume goes on with what the last process left.
func (r *runner) resume() {
	for _, ses := range r.disk.ordered() {
		resume, killed := ses.resume, ses.killed
		ses.resume, ses.killed = false, false
		if killed {
			if ses.restarts++; ses.restarts > maxRestarts {
				continue
			}
			r.admit(ses, &input{
				id: r.disk.mint.Ascending("msg"), kind: "synthetic", delivery: "steer",
				payload: data{"text": "The server restarted while this turn was running. Continue."},
			})
		}
		if resume || killed {
			r.wake(ses)
		}
	}
}

// dangling are the calls that are marked as running although no process runs them.
func dangling(ses *session) []*call {
	var found []*call
	for _, m := range ses.messages {
		for _, p := range m.parts {
			if p.running() {
				found = append(found, &call{turn: &turn{ses: ses, step: m}, part: p})
			}
		}
	}
	return found
}

// repair ends the calls that a killed process left running (capture 08).
func (r *runner) repair(ses *session) {
	for _, c := range dangling(ses) {
		r.failPart(c, aborted(interrupted+": "+c.part.tool), "")
		r.record.ended(c.part.call, r.failed(c.part))
	}
}

// runSubagent starts a session of its own for an agent (section 3.3, capture 07). In
// the background the call ends at once, and the parent is woken at its end.
func (r *runner) runSubagent(c *call, in toolInput) *session {
	if in.Agent == "" {
		in.Agent = in.Subagent
	}
	parent := c.turn.ses
	child := r.create(newSession{dir: parent.dir(), title: in.Description, parent: parent.info.ID, agent: in.Agent})
	state := data{"sessionID": child.info.ID, "status": "running"}
	c.part.result = state
	r.inStep(c.turn, "session.tool.progress", data{r.names.call: c.part.call, r.names.structured: state, "content": []data{}})
	r.admit(child, &input{
		id: r.disk.mint.Ascending("msg"), kind: "user", delivery: "steer", payload: data{"text": in.Prompt},
	})
	if in.Background {
		text := "The subagent is working in the background (id: " + child.info.ID +
			"). You will be notified automatically when it finishes. DO NOT sleep, poll, or proactively check on its progress."
		r.complete(c, data{"sessionID": child.info.ID, "status": "running", "output": text}, text)
	}
	r.wakeFor(child, c, in.Background)
	return child
}

// wakeFor is wake for a subagent, whose turn knows who waits for it before it begins.
func (r *runner) wakeFor(child *session, c *call, background bool) {
	t := &turn{ses: child}
	if background {
		t.wakes = c.turn.ses
	} else {
		t.parent, c.child = c, t
	}
	r.start(t)
}

// handOver tells the parent how a subagent's turn ended.
func (r *runner) handOver(t *turn, how string) {
	c := t.parent
	switch {
	case c != nil && c.turn.live() && how == "succeeded":
		r.complete(c, data{"sessionID": t.ses.info.ID, "status": "completed", "output": t.said}, t.said)
	case c != nil && c.turn.live():
		r.failure(c, "tool.execution", "Subagent cancelled", "Subagent cancelled")
	case t.wakes != nil && !t.wakes.deleted:
		r.notify(t, how)
	}
}

// notify wakes the parent of a subagent in the background.
func (r *runner) notify(t *turn, how string) {
	state := "completed"
	if how != "succeeded" {
		state = "cancelled"
	}
	r.admit(t.wakes, &input{
		id: r.disk.mint.Ascending("msg"), kind: "synthetic", delivery: "steer",
		payload: data{
			"text":        fmt.Sprintf("<subagent id=%q state=%q description=%q>\n%s\n</subagent>", t.ses.info.ID, state, t.ses.info.Title, t.said),
			"description": t.ses.info.Title,
			"metadata":    data{"source": "subagent", "childID": t.ses.info.ID, "agent": t.ses.agentName(), "state": state},
		},
	})
	r.wake(t.wakes)
}

func providerFault(status int) string {
	return fmt.Sprintf(`Provider request failed with HTTP %d: {"error": {"message": "scripted failure", "type": "invalid_request_error", "code": "scripted"}}`, status)
}
