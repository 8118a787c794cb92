package opencode2sim

import "slices"

func directoryPermissions(r *request) (answer, *fail) {
	dir, f := r.directory()
	if f != nil {
		return no(f)
	}
	return r.listed(dir, r.sim.leaves.list(r.sim.leaves.pendingIn(dir)))
}

func listPermissions(r *request) (answer, *fail) {
	ses, f := r.session()
	if f != nil {
		return no(f)
	}
	return wrapped(r.sim.leaves.list(r.sim.leaves.pendingOf(ses.info.ID)))
}

func (r *request) leave() (*leave, *fail) {
	id := r.PathValue("request")
	if f := prefixed("Params", "per", id, "requestID"); f != nil {
		return nil, f
	}
	ses, f := r.session()
	if f != nil {
		return nil, f
	}
	if l := r.sim.leaves.find(ses.info.ID, id); l != nil {
		return l, nil
	}
	return nil, noPermission(id)
}

func getPermission(r *request) (answer, *fail) {
	l, f := r.leave()
	if f != nil {
		return no(f)
	}
	return wrapped(r.sim.leaves.wire(l))
}

// replyPermission: what is not pending is unknown, also a moment after it was decided
// (section 4, capture 05).
func replyPermission(r *request) (answer, *fail) {
	reply, f := r.decision()
	if f != nil {
		return no(f)
	}
	message, f := r.text("message", false)
	if f != nil {
		return no(f)
	}
	r.sim.record.attempts[r.PathValue("request")]++
	l, f := r.leave()
	if f != nil {
		return no(f)
	}
	r.sim.leaves.decide(l, reply, message)
	return done()
}

// decision reads the reply under the name of the shape; another key beside it does
// not matter (section 4, captures 05, 19).
func (r *request) decision() (string, *fail) {
	key := r.sim.names.reply
	if r.sim.opts.Unsure.StrictDecision && r.object()["reply"] != nil && r.object()["decision"] != nil {
		return "", invalid("Payload", "Unexpected key")
	}
	value, given := r.object()[key]
	text, _ := value.(string)
	switch {
	case !given:
		return "", missing(key)
	case !slices.Contains([]string{"once", "always", "reject"}, text):
		return "", expected("PermissionV2.Reply", value, key)
	}
	return text, nil
}

// savedPermissions are those of the directory's project, or all without one.
func savedPermissions(r *request) (answer, *fail) {
	dir, f := r.directory()
	if f != nil {
		return no(f)
	}
	found := []data{}
	for _, rule := range r.sim.disk.saved {
		if rule.project == r.sim.opts.project(dir) {
			found = append(found, data{"id": rule.id, "projectID": rule.project, "action": rule.action, "resource": rule.resource})
		}
	}
	return wrapped(found)
}

func deleteSaved(r *request) (answer, *fail) {
	r.sim.disk.saved = slices.DeleteFunc(r.sim.disk.saved, func(rule savedRule) bool { return rule.id == r.PathValue("id") })
	return done()
}
