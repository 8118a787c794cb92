package opencode2sim

import "slices"

// cutter ends turns before their time, and goes on with those that a process left.
type cutter struct{ *stepper }

// interrupt ends a session's turn, with those of its subagents in the foreground. Its
// forms are cancelled; its permissions vanish without a word (sections 0 and 4,
// captures 04, 05, 07). Prompts that wait go on waiting.
func (r *cutter) interrupt(ses *session) { r.cut(ses, "user") }

func (r *cutter) cut(ses *session, reason string) {
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
			why := interrupted
			if reason == "shutdown" && r.opts.Shape == Release && r.waits(c) {
				why = locationClosed
			}
			r.failPart(c, aborted(why), "")
			r.record.End(c.part.call, r.failed(c.part))
		}
	}
	if t.step != nil && t.step.finish == "" && (called || len(t.step.parts) > 0) {
		r.breakStep(t, aborted(stepInterrupted), called)
	}
	r.end(t, "interrupted", data{"reason": reason})
}

// waits reports whether a call waits for a form or a permission.
func (r *cutter) waits(c *call) bool {
	return slices.ContainsFunc(r.leaves.pending, func(l *leave) bool { return l.call == c }) ||
		slices.ContainsFunc(r.forms.pendingOf(c.turn.ses.info.ID), func(f *form) bool {
			tool, _ := f.metadata["tool"].(data)
			return tool[r.names.call] == c.part.call
		})
}

// delete removes a session and its subagents' sessions (section 5, capture 04).
func (r *cutter) delete(ses *session) {
	for _, child := range r.disk.children(ses.info.ID) {
		r.delete(child)
	}
	r.interrupt(ses)
	r.forms.withdraw(ses.info.ID)
	r.forms.forget(ses.info.ID)
	r.bus.about(ses, "session.deleted", nil)
	r.disk.drop(ses)
}

// reload unloads every directory, as a reload does: what waits there is settled as if a person had dismissed
// or rejected it (permission.ts close; form.ts finalizer), the text of the calls alone says why, and the turns go on (step.ts
// isLocationClosed). Whether location.shutdown comes first is not known. Release alone.
func (r *cutter) reload() {
	for _, dir := range r.bootedList() {
		delete(r.booted, dir)
		for _, t := range r.active {
			t.closed = t.closed || t.ses.dir() == dir && t.step != nil
		}
		forms, asks := r.forms.pendingIn(dir), r.leaves.pendingIn(dir)
		r.tellUnload(dir)
		r.forms.all = slices.DeleteFunc(r.forms.all, func(f *form) bool { return f.dir == dir })
		for _, l := range asks {
			r.leaves.remove(l)
			l.decided("reject", "")
		}
		for _, f := range forms {
			f.status = "cancelled"
			f.cancelled("")
		}
	}
}

// tellUnload says what the unloading of a directory cancels and rejects.
func (r *cutter) tellUnload(dir string) {
	if r.opts.Unsure.ShutdownFirst {
		r.bus.in(dir, "location.shutdown", data{})
	}
	for _, l := range r.leaves.pendingIn(dir) {
		r.leaves.tell(l, "reject")
	}
	for _, f := range r.forms.pendingIn(dir) {
		r.bus.in(dir, "form.cancelled", data{"id": f.id, "sessionID": f.owner})
	}
	if !r.opts.Unsure.ShutdownFirst {
		r.bus.in(dir, "location.shutdown", data{})
	}
}

// shutdown is a clean stop: what was at work is marked as interrupted and goes on with the next start (section 3.3, capture
// 08), of Release in the service alone (process.ts lifecycle). Release unloads its directories, which the calls that wait say.
// Whether anybody hears of that is not known.
func (r *cutter) shutdown() {
	if r.opts.Shape == Release && r.opts.Unsure.StopTells {
		for _, dir := range r.bootedList() {
			r.tellUnload(dir)
		}
	}
	for _, ses := range r.disk.ordered() {
		t := r.active[ses.info.ID]
		if t == nil {
			continue
		}
		t.parent, t.wakes = nil, nil // nobody goes on now
		calls := t.calls
		r.cut(ses, "shutdown")
		ses.resume = r.resumes()
		ses.results = append([]string{}, t.results...)
		for _, c := range calls {
			if c.part.fault != nil {
				ses.results = append(ses.results, r.failed(c.part))
			}
		}
	}
}

// die is kill -9: nothing is written.
func (r *cutter) die() {
	for id, t := range r.active {
		t.done = true
		r.disk.sessions[id].killed = r.opts.Shape == Release && r.resumes()
	}
}

// resumes reports whether the next start goes on with turns: an `opencode serve` of Release does not (section 10).
func (r *cutter) resumes() bool { return r.opts.Shape == Preview || r.opts.Registration != "" }

// maxRestarts is how often a turn goes on after a kill (section 3.3, [S]).
const maxRestarts = 10

// resume goes on with what the last process left.
func (r *cutter) resume() {
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
func (r *cutter) repair(ses *session) {
	for _, c := range dangling(ses) {
		r.failPart(c, aborted(interrupted+": "+c.part.tool), "")
		r.record.End(c.part.call, r.failed(c.part))
	}
}
