package opencode2sim

import (
	"path"
	"slices"
	"strings"

	"hermes/internal/simulate/opencodesim/model"
)

// permit is what a call needs leave for (section 4).
type permit struct {
	action    string
	resources []string
	save      []string // what always would allow; without it, always is once
	metadata  data     // sent by Release alone ([S])
}

// savedRule is what an always left behind, for a whole project.
type savedRule struct{ id, project, action, resource string }

// leave is one open permission request.
type leave struct {
	id      string
	call    *call
	want    permit
	decided func(reply, message string) // what follows the decision: once, always or reject
}

// leaves are the permission requests of one process. They have no settled state: what
// is not pending is unknown. They are used under the disk's lock.
type leaves struct {
	disk    *disk
	bus     *bus
	names   names
	opts    *Options
	pending []*leave // oldest first
}

func (b *leaves) wire(l *leave) data {
	n := b.names
	out := data{
		"id": l.id, "sessionID": l.call.turn.ses.info.ID, "action": l.want.action, "resources": l.want.resources,
		"source": data{"type": "tool", "messageID": l.call.turn.step.id, n.call: l.call.part.call},
	}
	if l.want.save != nil {
		out["save"] = l.want.save
	}
	if b.opts.Shape == Release { // [S]
		if l.want.metadata != nil {
			out["metadata"] = l.want.metadata
		}
	}
	return out
}

func (b *leaves) ask(c *call, want permit, decided func(reply, message string)) *leave {
	l := &leave{id: b.disk.mint.Ascending("per"), call: c, want: want, decided: decided}
	b.pending = append(b.pending, l)
	b.bus.in(c.turn.ses.dir(), b.names.asked, b.wire(l))
	return l
}

// decide settles a request. A reject without words rejects everything else that the
// session asks, and on Release one with words does, too, with the same words (section 10); an always answers what its rules cover, in every session of the
// project (section 4, capture 05).
func (b *leaves) decide(l *leave, reply, message string) {
	if reply == "always" {
		b.save(l)
	}
	settled := []*leave{l}
	for _, other := range b.pending {
		switch {
		case other == l:
		case reply == "reject" && (message == "" || b.opts.Shape == Release) && other.call.turn.ses == l.call.turn.ses,
			reply == "always" && !b.asks(other.call.turn.ses, other.want):
			settled = append(settled, other)
		}
	}
	for _, each := range settled {
		b.remove(each)
		b.tell(each, reply)
	}
	for _, each := range settled {
		each.decided(reply, message)
	}
}

func (b *leaves) tell(l *leave, reply string) {
	b.bus.in(l.call.turn.ses.dir(), b.names.replied, data{
		"sessionID": l.call.turn.ses.info.ID, "requestID": l.id, "reply": reply,
	})
}

func (b *leaves) save(l *leave) {
	for _, resource := range l.want.save {
		b.disk.saved = append(b.disk.saved, savedRule{
			b.disk.mint.Ascending("psv"), l.call.turn.ses.info.ProjectID, l.want.action, resource,
		})
	}
}

func (b *leaves) remove(l *leave) {
	b.pending = slices.DeleteFunc(b.pending, func(other *leave) bool { return other == l })
}

// withdraw forgets what a session asks, without a word (sections 0 and 4).
func (b *leaves) withdraw(ses *session) {
	b.pending = slices.DeleteFunc(b.pending, func(l *leave) bool { return l.call.turn.ses == ses })
}

func (b *leaves) find(session, id string) *leave {
	if l := b.any(id); l != nil && l.call.turn.ses.info.ID == session {
		return l
	}
	return nil
}

func (b *leaves) any(id string) *leave {
	i := slices.IndexFunc(b.pending, func(l *leave) bool { return l.id == id })
	if i < 0 {
		return nil
	}
	return b.pending[i]
}

func (b *leaves) pendingIn(dir string) []*leave {
	return b.of(func(ses *session) bool { return ses.dir() == dir })
}

func (b *leaves) pendingOf(ses *session) []*leave {
	return b.of(func(other *session) bool { return other == ses })
}

func (b *leaves) of(belongs func(*session) bool) []*leave {
	return slices.DeleteFunc(slices.Clone(b.pending), func(l *leave) bool { return !belongs(l.call.turn.ses) })
}

func (b *leaves) list(all []*leave) []data {
	found := []data{}
	for _, l := range all {
		found = append(found, b.wire(l))
	}
	return found
}

func directoryPermissions(r *request) answer {
	dir := r.directory()
	return r.listed(dir, r.sim.leaves.list(r.sim.leaves.pendingIn(dir)))
}

func listPermissions(r *request) answer {
	return wrapped(r.sim.leaves.list(r.sim.leaves.pendingOf(r.session())))
}

func (r *request) leave() *leave {
	id := r.PathValue("request")
	prefixed("per", id)
	if l := r.sim.leaves.find(r.session().info.ID, id); l != nil {
		return l
	}
	panic(noPermission(id))
}

func getPermission(r *request) answer {
	return wrapped(r.sim.leaves.wire(r.leave()))
}

// replyPermission: what is not pending is unknown, also a moment after it was decided
// (section 4, capture 05).
func replyPermission(r *request) answer {
	reply := r.decision()
	message := r.text("message", false)
	r.sim.Attempt(r.PathValue("request"))
	r.sim.leaves.decide(r.leave(), reply, message)
	return done()
}

// decision reads the reply under the name of the shape; another key beside it does
// not matter (section 4, captures 05, 19).
func (r *request) decision() string {
	text, _ := r.body[r.sim.names.reply].(string)
	if !slices.Contains([]string{"once", "always", "reject"}, text) {
		panic(invalid())
	}
	return text
}

// asks reports whether leave has to be asked for: for shell, edit, webfetch and for leaving the directory
// (section 4), unless what was granted for always covers all of it.
func (b *leaves) asks(ses *session, want permit) bool {
	if !slices.Contains([]string{"shell", "edit", "webfetch", "external_directory"}, want.action) {
		return false
	}
	for _, resource := range want.resources {
		if !slices.ContainsFunc(b.disk.saved, func(r savedRule) bool {
			return r.project == ses.info.ProjectID && r.action == want.action && model.Covers(r.resource, resource)
		}) {
			return true
		}
	}
	return false
}

// relative is a path as permissions name it: below dir relative, else whole.
func relative(dir, file string) string {
	if !path.IsAbs(file) {
		return path.Clean(file)
	}
	if rest, ok := strings.CutPrefix(path.Clean(file), path.Clean(dir)+"/"); ok {
		return rest
	}
	return path.Clean(file)
}

func absolute(dir, name string) string {
	if path.IsAbs(name) {
		return name
	}
	return path.Join(dir, name)
}
