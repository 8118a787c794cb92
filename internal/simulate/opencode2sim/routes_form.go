package opencode2sim

// formOwner is whose forms a path names: a session, or "global", whose forms are kept
// for each directory and found only with it (sections 3.3 and 3.4, captures 03, 12).
func (r *request) formOwner() (owner, dir string, f *fail) {
	id := r.PathValue("session")
	if id == global {
		dir, f = r.directory()
		return id, dir, f
	}
	if prefixed("Params", "ses", id) != nil {
		return "", "", tagged(400, "InvalidRequestError", "Invalid session ID", data{"field": "sessionID"})
	}
	if r.sim.disk.sessions[id] == nil {
		return "", "", noSession(id)
	}
	return id, "", nil
}

// form is the form that the path names; it is unknown ten minutes after it was settled.
func (r *request) form() (*form, *fail) {
	id := r.PathValue("form")
	if f := prefixed("Params", "frm_", id, "formID"); f != nil {
		return nil, f
	}
	owner, dir, f := r.formOwner()
	if f != nil {
		return nil, f
	}
	found := r.sim.forms.find(owner, id)
	if found == nil || owner == global && found.dir != dir {
		return nil, noForm(id)
	}
	return found, nil
}

func wireForms(all []*form) []data {
	found := []data{}
	for _, f := range all {
		found = append(found, f.wire())
	}
	return found
}

func directoryForms(r *request) (answer, *fail) {
	dir, f := r.directory()
	if f != nil {
		return no(f)
	}
	return r.listed(dir, wireForms(r.sim.forms.pendingIn(dir)))
}

func noQuestions(r *request) (answer, *fail) { // section 7: there, and never used
	dir, f := r.directory()
	if f != nil {
		return no(f)
	}
	return r.listed(dir, []data{})
}

func listForms(r *request) (answer, *fail) {
	owner, dir, f := r.formOwner()
	if f != nil {
		return no(f)
	}
	return wrapped(wireForms(r.sim.forms.pending(func(f *form) bool {
		return f.owner == owner && (owner != global || f.dir == dir)
	})))
}

func getForm(r *request) (answer, *fail) {
	found, f := r.form()
	if f != nil {
		return no(f)
	}
	out := found.wire()
	if r.sim.opts.Shape == Release { // 3.2, [S]
		out["state"] = found.state()
	}
	return wrapped(out)
}

func formState(r *request) (answer, *fail) {
	found, f := r.form()
	if f != nil {
		return no(f)
	}
	return wrapped(found.state())
}

// replyForm takes the first good answer to a form (section 3.3, capture 03).
func replyForm(r *request) (answer, *fail) {
	given, f := r.formAnswer()
	if f != nil {
		return no(f)
	}
	found, f := r.unsettled()
	if f != nil {
		return no(f)
	}
	if wrong := check(found.fields, given); wrong != "" {
		return no(tagged(400, "FormInvalidAnswerError", wrong, data{"id": found.id}))
	}
	r.sim.forms.reply(found, given)
	return done()
}

// unsettled is the form that the path names while it is open.
func (r *request) unsettled() (*form, *fail) {
	found, f := r.form()
	if f != nil {
		return nil, f
	}
	r.sim.record.attempts[found.id]++
	if found.status != "pending" {
		return nil, tagged(409, "FormAlreadySettledError", "Form already settled: "+found.id, data{"id": found.id})
	}
	return found, nil
}

// cancelForm dismisses a form. Only the newest take a message for the model.
func cancelForm(r *request) (answer, *fail) {
	found, f := r.unsettled()
	if f != nil {
		return no(f)
	}
	message := ""
	if r.sim.opts.Unsure.CancelMessage {
		message = r.URL.Query().Get("message")
	}
	r.sim.forms.cancel(found, message)
	return done()
}

// formAnswer reads {"answer": {key: string, number, bool or list of strings}}.
func (r *request) formAnswer() (data, *fail) {
	value, given := r.object()["answer"]
	o, ok := value.(data)
	switch {
	case !given:
		return nil, missing("answer")
	case !ok:
		return nil, expected("Form.Answer", value, "answer")
	}
	for key, value := range o {
		switch v := value.(type) {
		case string, float64, bool:
		case []any:
			for i, item := range v {
				if _, ok := item.(string); !ok {
					return nil, expected("string", item, "answer", key, i)
				}
			}
		default:
			return nil, expected("Form.Value", value, "answer", key)
		}
	}
	return o, nil
}

// createForm opens a form of an API client's own (section 3.1, capture 12).
func createForm(r *request) (answer, *fail) {
	owner, dir, f := r.formOwner()
	if f != nil {
		return no(f)
	}
	title, f := r.text("title", true)
	if f != nil {
		return no(f)
	}
	id, f := r.text("id", false)
	if f == nil && id != "" {
		f = prefixed("Payload", "frm_", id, "id")
	}
	if f != nil {
		return no(f)
	}
	if r.sim.forms.find(owner, id) != nil {
		return no(tagged(409, "ConflictError", "Form already exists: "+id, data{"resource": id}))
	}
	fields := objects(r.object()["fields"])
	if len(fields) == 0 {
		return no(missing("fields"))
	}
	if owner != global {
		dir = r.sim.disk.sessions[owner].dir()
	}
	metadata, _ := r.object()["metadata"].(data)
	nothing := func(string) {}
	created := &form{id: id, owner: owner, dir: dir, title: title, metadata: metadata, fields: fields, answered: func(data) {}, cancelled: nothing}
	r.sim.forms.open(created)
	return wrapped(created.wire())
}
