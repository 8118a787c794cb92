package opencode2sim

import (
	"encoding/base64"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strings"
)

// wireInput is an admitted input (section 5): Preview's shape, or Release's ([S]).
func (s *process) wireInput(in *input) data {
	out := data{
		"id": in.id, "sessionID": in.session, "timeCreated": in.created, "type": in.kind,
		s.names.payload: in.payload, "delivery": in.delivery,
	}
	if s.opts.Shape == Preview {
		out["admittedSeq"] = in.seq
	}
	return out
}

// prompt admits a prompt and starts a turn unless resume is false. The same id with the
// same text is the same prompt, which may start an empty busy period; with another
// text, or in another session, it is a conflict (section 5, capture 06).
func prompt(r *request) (answer, *fail) {
	text, f := r.text("text", true)
	if f != nil {
		return no(f)
	}
	payload := data{"text": text}
	files, f := r.files()
	if f != nil {
		return no(f)
	}
	if files != nil {
		payload["files"] = files
	}
	if agents := objects(r.object()["agents"]); agents != nil {
		payload["agents"] = agents
	}
	if metadata, ok := r.object()["metadata"].(data); ok {
		payload["metadata"] = metadata
	}
	return r.admit("user", payload, "")
}

func synthetic(r *request) (answer, *fail) {
	text, f := r.text("text", true)
	if f != nil {
		return no(f)
	}
	payload := data{"text": text}
	if description, f := r.text("description", false); f != nil {
		return no(f)
	} else if description != "" {
		payload["description"] = description
	}
	return r.admit("synthetic", payload, "")
}

func (r *request) admit(kind string, payload data, command string) (answer, *fail) {
	in, f := r.input(kind, payload)
	if f != nil {
		return no(f)
	}
	ses, f := r.session()
	if f != nil {
		return no(f)
	}
	id, _ := r.object()["id"].(string)
	if known := r.sim.disk.inputs[in.id]; known != nil {
		if known.session != ses.info.ID || !reflect.DeepEqual(known.payload, payload) {
			return no(tagged(http.StatusConflict, "ConflictError",
				"Prompt message ID conflicts with an existing durable record: "+id, data{"resource": id}))
		}
		in = known
	} else {
		r.sim.runner.admit(ses, in)
		r.note(ses, in, command, id != "")
	}
	out := r.sim.wireInput(in)
	if r.object()["resume"] != false {
		r.sim.runner.wake(ses)
	}
	return wrapped(out)
}

// input reads what prompts and notes have in common.
func (r *request) input(kind string, payload data) (*input, *fail) {
	id, f := r.text("id", false)
	if f == nil && id != "" {
		f = prefixed("Payload", "msg_", id, "id")
	}
	if f != nil {
		return nil, f
	}
	delivery, f := r.text("delivery", false)
	if f != nil {
		return nil, f
	}
	if delivery == "" {
		delivery = "steer"
	}
	if !slices.Contains([]string{"steer", "queue"}, delivery) {
		return nil, expected(`"steer" | "queue"`, delivery, "delivery")
	}
	if resume, given := r.object()["resume"]; given && resume != true && resume != false {
		return nil, expected("boolean", resume, "resume")
	}
	if id == "" {
		id = r.sim.disk.mint.Ascending("msg")
	}
	return &input{id: id, kind: kind, payload: payload, delivery: delivery}, nil
}

// note keeps a prompt for the test.
func (r *request) note(ses *session, in *input, command string, own bool) {
	text, _ := in.payload["text"].(string)
	m := r.sim.runner.modelOf(ses)
	p := Prompt{
		Session: ses.info.ID, Directory: ses.dir(), ID: in.id, Own: own, Text: text, Command: command,
		Delivery: in.delivery, NoReply: r.object()["resume"] == false, Agent: ses.agentName(),
		Model: m.ProviderID + "/" + m.ID, Synthetic: in.kind == "synthetic",
	}
	files, _ := in.payload["files"].([]data)
	for _, f := range files {
		name, _ := f["name"].(string)
		mime, _ := f["mime"].(string)
		p.Files = append(p.Files, File{name, mime, decoded(f)})
	}
	r.sim.record.prompts = append(r.sim.record.prompts, p)
}

// files reads attachments at the admission, as OpenCode does (section 5, captures 06,
// 19). Of the file: addresses only those of Options.Files can be read.
func (r *request) files() ([]data, *fail) {
	given := objects(r.object()["files"])
	var files []data
	for i, g := range given {
		uri, ok := g["uri"].(string)
		if !ok {
			return nil, missing("files", i, "uri")
		}
		file, ok := r.sim.attachment(uri)
		if !ok {
			return nil, tagged(http.StatusBadRequest, "InvalidRequestError", "Unable to read attachment: "+uri, data{"field": "files"})
		}
		if name, ok := g["name"].(string); ok {
			file["name"] = name
		}
		files = append(files, file)
	}
	return files, nil
}

func (s *process) attachment(uri string) (data, bool) {
	if rest, ok := strings.CutPrefix(uri, "data:"); ok {
		mime, encoded, ok := strings.Cut(rest, ";base64,")
		_, err := base64.StdEncoding.DecodeString(encoded)
		return data{"data": encoded, "mime": mime, "source": data{"type": "inline"}}, ok && err == nil
	}
	name, ok := strings.CutPrefix(uri, "file://")
	content, there := s.opts.Files[name]
	return data{
		"data": base64.StdEncoding.EncodeToString([]byte(content)), "mime": "text/plain",
		"source": data{"type": "uri", "uri": uri}, "name": path.Base(name),
	}, ok && there
}

func decoded(file data) []byte {
	encoded, _ := file["data"].(string)
	raw, _ := base64.StdEncoding.DecodeString(encoded) // was looked at before
	return raw
}

func pendingInputs(r *request) (answer, *fail) {
	ses, f := r.session()
	if f != nil {
		return no(f)
	}
	found := []data{}
	for _, in := range ses.waiting {
		found = append(found, r.sim.wireInput(in))
	}
	return wrapped(found)
}

func (r *request) waiting() (*session, *input, *fail) {
	ses, f := r.session()
	if f != nil {
		return nil, nil, f
	}
	id := r.PathValue("input")
	for _, in := range ses.waiting {
		if in.id == id {
			return ses, in, nil
		}
	}
	return nil, nil, tagged(http.StatusNotFound, "InboxNotFoundError", "Inbox item not found: "+id, data{"inboxID": id})
}

// deleteInput and changeInput are Release's (section 5, [S]).
func deleteInput(r *request) (answer, *fail) {
	ses, in, f := r.waiting()
	if f != nil {
		return no(f)
	}
	ses.remove(in)
	return done()
}

func changeInput(r *request) (answer, *fail) {
	ses, in, f := r.waiting()
	if f != nil {
		return no(f)
	}
	delivery, f := r.text("delivery", true)
	if f != nil {
		return no(f)
	}
	in.delivery = delivery
	r.sim.bus.about(ses, "session.inbox.delivery.changed", data{"inboxID": in.id, "delivery": delivery})
	return done()
}

// runCommand makes a prompt of a command's template (section 5, captures 06, 15).
// Release names its keys differently and answers 204 ([S]).
func runCommand(r *request) (answer, *fail) {
	key, arguments := "command", "arguments"
	if r.sim.opts.Shape == Release {
		key, arguments = "name", "text"
	}
	name, f := r.text(key, true)
	if f != nil {
		return no(f)
	}
	given, f := r.text(arguments, false)
	if f != nil {
		return no(f)
	}
	if _, f = r.session(); f != nil {
		return no(f)
	}
	commands := r.sim.opts.commands()
	i := slices.IndexFunc(commands, func(c Command) bool { return c.Name == name })
	if i < 0 {
		return no(tagged(http.StatusNotFound, "CommandNotFoundError", "Command not found: "+name, data{"command": name}))
	}
	text := strings.ReplaceAll(commands[i].Template, "$ARGUMENTS", given)
	a, f := r.admit("user", data{"text": text}, name)
	if f == nil && r.sim.opts.Shape == Release {
		return done()
	}
	return a, f
}

// runShell runs a command without asking for leave, and an empty busy period follows
// (section 5, capture 06).
func runShell(r *request) (answer, *fail) {
	command, f := r.text("command", true)
	if f != nil {
		return no(f)
	}
	return r.with(func(ses *session) {
		info := r.sim.runner.tools.shell(ses, command)
		r.sim.bus.about(ses, "session.shell.started", data{"shell": info})
		output := r.sim.opts.shell(command)
		r.sim.bus.about(ses, "session.shell.ended", data{"shell": info, "output": data{
			"output": output, "cursor": len(output), "size": len(output), "truncated": false,
		}})
		r.sim.runner.wake(ses)
	})
}
