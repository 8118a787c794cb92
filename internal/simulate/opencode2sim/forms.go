package opencode2sim

import (
	"slices"
	"time"
)

// settledFor is how long a settled form is known (section 3.3).
const settledFor = 10 * time.Minute

// global is the owner of forms that belong to no session (section 3.4).
const global = "global"

// form is one form of a process (section 3.1).
type form struct {
	id, owner, dir string
	title          string
	metadata       data
	fields         []data
	status         string // pending, answered, cancelled
	answer         data
	message        string // of a dismissal
	settled        time.Time

	answered  func(answer data)    // what follows a reply; never nil
	cancelled func(message string) // what follows a dismissal; never nil
}

func (f *form) wire() data {
	out := data{"id": f.id, "sessionID": f.owner, "title": f.title, "fields": f.fields}
	if f.metadata != nil {
		out["metadata"] = f.metadata
	}
	return out
}

func (f *form) state() data {
	state := data{"status": f.status}
	switch {
	case f.status == "answered":
		state["answer"] = f.answer
	case f.message != "":
		state["message"] = f.message
	}
	return state
}

// forms are the forms of one process: they do not outlive it. They are used under
// the disk's lock.
type forms struct {
	disk  *disk
	bus   *bus
	names names
	all   []*form // oldest first, settled ones for settledFor
}

// open announces a new form. An elicitation's has no location (section 3.4).
func (b *forms) open(f *form) {
	if f.id == "" {
		f.id = b.disk.mint.Ascending("frm")
	}
	f.status = "pending"
	b.all = append(b.all, f)
	dir := f.dir
	if f.owner == global {
		dir = ""
	}
	b.bus.in(dir, "form.created", data{"form": f.wire()})
}

// reply settles a pending form with an answer that was checked.
func (b *forms) reply(f *form, answer data) {
	f.status, f.answer, f.settled = "answered", answer, time.Now()
	b.bus.in(f.dir, "form.replied", data{"id": f.id, "sessionID": f.owner, "answer": answer})
	f.answered(answer)
}

// cancel settles a pending form without an answer.
func (b *forms) cancel(f *form, message string) {
	f.status, f.message, f.settled = "cancelled", message, time.Now()
	b.bus.in(f.dir, "form.cancelled", data{"id": f.id, "sessionID": f.owner})
	f.cancelled(message)
}

// withdraw cancels what a session still asks, as its interrupt does.
func (b *forms) withdraw(session string) {
	for _, f := range b.pendingOf(session) {
		f.cancelled = func(string) {}
		b.cancel(f, "")
	}
}

func (b *forms) forget(session string) {
	b.all = slices.DeleteFunc(b.all, func(f *form) bool { return f.owner == session })
}

func (b *forms) pendingOf(owner string) []*form {
	return b.pending(func(f *form) bool { return f.owner == owner })
}

func (b *forms) pendingIn(dir string) []*form {
	return b.pending(func(f *form) bool { return f.dir == dir })
}

func (b *forms) pending(of func(*form) bool) []*form {
	var found []*form
	for _, f := range b.all {
		if f.status == "pending" && of(f) {
			found = append(found, f)
		}
	}
	return found
}

// find is a form that is known still, whatever its state.
func (b *forms) find(owner, id string) *form {
	b.all = slices.DeleteFunc(b.all, func(f *form) bool {
		return f.status != "pending" && time.Since(f.settled) >= settledFor
	})
	for _, f := range b.all {
		if f.id == id && f.owner == owner {
			return f
		}
	}
	return nil
}
