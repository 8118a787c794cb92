package opencode2sim

import "slices"

// permit is what a call needs leave for (section 4).
type permit struct {
	action    string
	resources []string
	save      []string // what always would allow; without it, always is once
	metadata  data     // sent by Release alone ([S])
	must      bool     // is asked for whatever the rules say, unless an always covers it
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
		if b.opts.Unsure.PermissionMessage != "" {
			out["message"] = b.opts.Unsure.PermissionMessage
		}
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
// session asks; an always answers what its rules cover, in every session of the
// project (section 4, capture 05).
func (b *leaves) decide(l *leave, reply, message string) {
	if reply == "always" {
		b.save(l)
	}
	settled := []*leave{l}
	for _, other := range b.pending {
		switch {
		case other == l:
		case reply == "reject" && message == "" && other.call.turn.ses == l.call.turn.ses,
			reply == "always" && b.verdict(other.call.turn.ses, other.want) == "allow":
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
	for _, l := range b.pending {
		if l.id == id && l.call.turn.ses.info.ID == session {
			return l
		}
	}
	return nil
}

func (b *leaves) any(id string) *leave {
	for _, l := range b.pending {
		if l.id == id {
			return l
		}
	}
	return nil
}

func (b *leaves) pendingIn(dir string) []*leave {
	var found []*leave
	for _, l := range b.pending {
		if l.call.turn.ses.dir() == dir {
			found = append(found, l)
		}
	}
	return found
}

func (b *leaves) pendingOf(session string) []*leave {
	var found []*leave
	for _, l := range b.pending {
		if l.call.turn.ses.info.ID == session {
			found = append(found, l)
		}
	}
	return found
}

func (b *leaves) list(all []*leave) []data {
	found := []data{}
	for _, l := range all {
		found = append(found, b.wire(l))
	}
	return found
}
