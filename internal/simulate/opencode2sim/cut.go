package opencode2sim

import "slices"

// interrupt ends a session's turn, with those of its subagents in the foreground. Its
// forms are cancelled; its permissions vanish without a word (sections 0 and 4,
// captures 04, 05, 07). Prompts that wait go on waiting.
func (s *Simulator) interrupt(ses *session) { s.cut(ses, "user") }

func (s *Simulator) cut(ses *session, reason string) {
	t := s.active[ses.info.ID]
	if t == nil {
		return
	}
	for _, c := range t.calls {
		if c.child != nil && c.child.live() {
			c.child.parent = nil
			s.cut(c.child.ses, reason)
		}
	}
	if reason == "user" {
		s.forms.withdraw(ses.info.ID)
		s.leaves.withdraw(ses)
	}
	t.done = true
	called := len(t.calls) > 0
	s.hush(t)
	for _, c := range t.calls {
		if c.part.running() {
			c.settled = true
			why := interrupted
			if reason == "shutdown" && s.opts.Shape == Release && s.waits(c) {
				why = locationClosed
			}
			s.failPart(c, aborted(why), "")
			s.End(c.part.call, s.failed(c.part))
		}
	}
	if t.step != nil && t.step.finish == "" && (called || len(t.step.parts) > 0) {
		s.breakStep(t, aborted(stepInterrupted), called)
	}
	s.end(t, "interrupted", data{"reason": reason})
}

// waits reports whether a call waits for a form or a permission.
func (s *Simulator) waits(c *call) bool {
	return slices.ContainsFunc(s.leaves.pending, func(l *leave) bool { return l.call == c }) ||
		slices.ContainsFunc(s.forms.pendingOf(c.turn.ses.info.ID), func(f *form) bool {
			tool, _ := f.metadata["tool"].(data)
			return tool[s.names.call] == c.part.call
		})
}

// delete removes a session and its subagents' sessions (section 5, capture 04).
func (s *Simulator) delete(ses *session) {
	for _, child := range s.disk.children(ses.info.ID) {
		s.delete(child)
	}
	s.interrupt(ses)
	s.forms.withdraw(ses.info.ID)
	s.forms.forget(ses.info.ID)
	s.bus.about(ses, "session.deleted", nil)
	s.disk.drop(ses)
}

// reload unloads every directory, as a reload does: what waits there is settled as if a person had dismissed
// or rejected it (permission.ts close; form.ts finalizer), the text of the calls alone says why, and the turns go on (step.ts
// isLocationClosed). Whether location.shutdown comes first is not known. Release alone.
func (s *Simulator) reload() {
	for _, dir := range s.bootedList() {
		delete(s.booted, dir)
		for _, t := range s.active {
			t.closed = t.closed || t.ses.dir() == dir && t.step != nil
		}
		forms, asks := s.forms.pendingIn(dir), s.leaves.pendingIn(dir)
		s.tellUnload(dir)
		s.forms.all = slices.DeleteFunc(s.forms.all, func(f *form) bool { return f.dir == dir })
		for _, l := range asks {
			s.leaves.remove(l)
			l.decided("reject", "")
		}
		for _, f := range forms {
			f.status = "cancelled"
			f.cancelled("")
		}
	}
}

// tellUnload says what the unloading of a directory cancels and rejects.
func (s *Simulator) tellUnload(dir string) {
	if s.opts.Unsure.ShutdownFirst {
		s.bus.in(dir, "location.shutdown", data{})
	}
	for _, l := range s.leaves.pendingIn(dir) {
		s.leaves.tell(l, "reject")
	}
	for _, f := range s.forms.pendingIn(dir) {
		s.bus.in(dir, "form.cancelled", data{"id": f.id, "sessionID": f.owner})
	}
	if !s.opts.Unsure.ShutdownFirst {
		s.bus.in(dir, "location.shutdown", data{})
	}
}

// shutdown is a clean stop: what was at work is marked as interrupted and goes on with the next start (section 3.3, capture
// 08), of Release in the service alone (process.ts lifecycle). Release unloads its directories, which the calls that wait say.
// Whether anybody hears of that is not known.
func (s *Simulator) shutdown() {
	if s.opts.Shape == Release && s.opts.Unsure.StopTells {
		for _, dir := range s.bootedList() {
			s.tellUnload(dir)
		}
	}
	for _, ses := range s.disk.ordered() {
		t := s.active[ses.info.ID]
		if t == nil {
			continue
		}
		t.parent, t.wakes = nil, nil // nobody goes on now
		calls := t.calls
		s.cut(ses, "shutdown")
		ses.resume = s.resumes()
		ses.results = append([]string{}, t.results...)
		for _, c := range calls {
			if c.part.fault != nil {
				ses.results = append(ses.results, s.failed(c.part))
			}
		}
	}
}

// die is kill -9: nothing is written.
func (s *Simulator) die() {
	for id, t := range s.active {
		t.done = true
		s.disk.sessions[id].killed = s.opts.Shape == Release && s.resumes()
	}
}

// resumes reports whether the next start goes on with turns: an `opencode serve` of Release does not (section 10).
func (s *Simulator) resumes() bool { return s.opts.Shape == Preview || s.opts.Registration != "" }

// maxRestarts is how often a turn goes on after a kill (section 3.3, [S]).
const maxRestarts = 10

// resume goes on with what the last process left.
func (s *Simulator) resume() {
	for _, ses := range s.disk.ordered() {
		resume, killed := ses.resume, ses.killed
		ses.resume, ses.killed = false, false
		if killed {
			if ses.restarts++; ses.restarts > maxRestarts {
				continue
			}
			s.admit(ses, &input{
				id: s.disk.mint.Ascending("msg"), kind: "synthetic", delivery: "steer",
				payload: data{"text": "The server restarted while this turn was running. Continue."},
			})
		}
		if resume || killed {
			s.wake(ses)
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
func (s *Simulator) repair(ses *session) {
	for _, c := range dangling(ses) {
		s.failPart(c, aborted(interrupted+": "+c.part.tool), "")
		s.End(c.part.call, s.failed(c.part))
	}
}
