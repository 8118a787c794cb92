package opencode2sim

import (
	"slices"
	"strings"
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

// Elicited is one form of an MCP server.
type Elicited struct {
	Message string
	Fields  []map[string]any
	URL     string
}

// elicit opens the form of an MCP server. No session owns it: an interrupt leaves it.
func (s *Simulator) elicit(dir, server string, want Elicited, done func(reply any)) *form {
	f := &form{
		owner: global, dir: dir, title: server + " is requesting input", fields: want.Fields,
		metadata: data{"kind": "mcp-elicitation", "server": server, "message": want.Message},
	}
	if want.URL != "" {
		f.metadata["elicitationID"] = s.disk.mint.Ascending("elicit")
		f.fields = []data{{"key": "elicitation", "type": "external", "url": want.URL}}
	}
	f.answered = func(answer data) {
		s.Reply(f.id, "", nil)
		reply := data{"action": "accept"}
		if want.URL == "" {
			reply["content"] = answer
		}
		done(reply)
	}
	f.cancelled = func(string) {
		s.Reply(f.id, "", nil)
		done(data{"action": "cancel"})
	}
	s.forms.open(f)
	return f
}

// formOwner is whose forms a path names: a session, or "global", whose forms are kept
// for each directory and found only with it (sections 3.3 and 3.4, captures 03, 12).
func (r *request) formOwner() (owner, dir string) {
	id := r.PathValue("session")
	if id == global {
		return id, r.directory()
	}
	if !strings.HasPrefix(id, "ses") {
		panic(tagged(400, "InvalidRequestError", "Invalid session ID", data{"field": "sessionID"}))
	}
	if r.sim.disk.sessions[id] == nil {
		panic(noSession(id))
	}
	return id, ""
}

// form is the form that the path names; it is unknown ten minutes after it was settled.
func (r *request) form() *form {
	id := r.PathValue("form")
	prefixed("frm_", id)
	owner, dir := r.formOwner()
	found := r.sim.forms.find(owner, id)
	if found == nil || owner == global && found.dir != dir {
		panic(noForm(id))
	}
	return found
}

func wireForms(all []*form) []data {
	found := []data{}
	for _, f := range all {
		found = append(found, f.wire())
	}
	return found
}

func directoryForms(r *request) answer {
	dir := r.directory()
	return r.listed(dir, wireForms(r.sim.forms.pendingIn(dir)))
}

func listForms(r *request) answer {
	owner, dir := r.formOwner()
	return wrapped(wireForms(r.sim.forms.pending(func(f *form) bool {
		return f.owner == owner && (owner != global || f.dir == dir)
	})))
}

func getForm(r *request) answer {
	found := r.form()
	out := found.wire()
	if r.sim.opts.Shape == Release { // 3.2, [S]
		out["state"] = found.state()
	}
	return wrapped(out)
}

func formState(r *request) answer {
	found := r.form()
	return wrapped(found.state())
}

// replyForm takes the first good answer to a form (section 3.3, capture 03).
func replyForm(r *request) answer {
	given := r.formAnswer()
	found := r.unsettled()
	if wrong := check(found.fields, given); wrong != "" {
		panic(tagged(400, "FormInvalidAnswerError", wrong, data{"id": found.id}))
	}
	r.sim.forms.reply(found, given)
	return done()
}

// unsettled is the form that the path names while it is open.
func (r *request) unsettled() *form {
	found := r.form()
	r.sim.Attempt(found.id)
	if found.status != "pending" {
		panic(tagged(409, "FormAlreadySettledError", "Form already settled: "+found.id, data{"id": found.id}))
	}
	return found
}

// cancelForm dismisses a form. Release takes a message for the model, which then goes on (section 10).
func cancelForm(r *request) answer {
	found := r.unsettled()
	message := ""
	if r.sim.opts.Shape == Release {
		message = r.URL.Query().Get("message")
	}
	r.sim.forms.cancel(found, message)
	return done()
}

// formAnswer reads {"answer": {key: string, number, bool or list of strings}}.
func (r *request) formAnswer() data {
	o, ok := r.body["answer"].(data)
	if !ok {
		panic(invalid())
	}
	for _, value := range o {
		switch v := value.(type) {
		case string, float64, bool:
		case []any:
			if slices.ContainsFunc(v, func(item any) bool { _, isText := item.(string); return !isText }) {
				panic(invalid())
			}
		default:
			panic(invalid())
		}
	}
	return o
}

// createForm opens a form of an API client's own (section 3.1, capture 12).
func createForm(r *request) answer {
	owner, dir := r.formOwner()
	title := r.text("title", true)
	id := r.ownID("frm_")
	if r.sim.forms.find(owner, id) != nil {
		panic(tagged(409, "ConflictError", "Form already exists: "+id, data{"resource": id}))
	}
	fields := objects(r.body["fields"])
	if len(fields) == 0 {
		panic(invalid())
	}
	if owner != global {
		dir = r.sim.disk.sessions[owner].dir()
	}
	metadata, _ := r.body["metadata"].(data)
	created := &form{
		id: id, owner: owner, dir: dir, title: title, metadata: metadata, fields: fields,
		answered: func(data) {}, cancelled: func(string) {},
	}
	r.sim.forms.open(created)
	return wrapped(created.wire())
}
