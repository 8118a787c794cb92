package opencode2sim

import "fmt"

// runSubagent starts a session of its own for an agent (section 3.3, capture 07). In
// the background the call ends at once, and the parent is woken at its end.
func (r *toolbox) runSubagent(c *call, in toolInput) *session {
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
func (r *toolbox) wakeFor(child *session, c *call, background bool) {
	t := &turn{ses: child}
	if background {
		t.wakes = c.turn.ses
	} else {
		t.parent, c.child = c, t
	}
	r.start(t)
}

// handOver tells the parent how a subagent's turn ended.
func (r *toolbox) handOver(t *turn, how string) {
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
func (r *toolbox) notify(t *turn, how string) {
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
