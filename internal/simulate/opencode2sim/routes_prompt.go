package opencode2sim

import (
	"encoding/base64"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"
)

// wireInput is an admitted input (section 5): Preview's shape, or Release's ([S]).
func (s *Simulator) wireInput(in *input) data {
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
func prompt(r *request) answer {
	text := r.text("text", true)
	payload := data{"text": text}
	if files := r.files(); files != nil {
		payload["files"] = files
	}
	if agents := objects(r.body["agents"]); agents != nil {
		payload["agents"] = agents
	}
	return r.admit(payload, "")
}

func (r *request) admit(payload data, command string) answer {
	in := r.input(payload)
	ses := r.session()
	id, _ := r.body["id"].(string)
	if known := r.sim.disk.inputs[in.id]; known != nil {
		if known.session != ses.info.ID || !reflect.DeepEqual(known.payload, payload) {
			panic(tagged(http.StatusConflict, "ConflictError",
				"Prompt message ID conflicts with an existing durable record: "+id, data{"resource": id}))
		}
		in = known
	} else {
		r.sim.admit(ses, in)
		r.note(ses, in, command, id != "")
	}
	out := r.sim.wireInput(in)
	if r.body["resume"] != false {
		r.sim.wake(ses)
	}
	return wrapped(out)
}

// input reads what prompts and commands have in common.
func (r *request) input(payload data) *input {
	id := r.ownID("msg_")
	delivery := r.text("delivery", false)
	if delivery == "" {
		delivery = "steer"
	}
	if !slices.Contains([]string{"steer", "queue"}, delivery) {
		panic(invalid())
	}
	if resume, given := r.body["resume"]; given && resume != true && resume != false {
		panic(invalid())
	}
	if id == "" {
		id = r.sim.disk.mint.Ascending("msg")
	}
	return &input{id: id, kind: "user", payload: payload, delivery: delivery}
}

// note keeps a prompt for the test.
func (r *request) note(ses *session, in *input, command string, own bool) {
	text, _ := in.payload["text"].(string)
	m := r.sim.modelOf(ses)
	r.sim.prompts = append(r.sim.prompts, Prompt{
		Session: ses.info.ID, Own: own, Text: text, Command: command, Agent: ses.agentName(), Model: m.ProviderID + "/" + m.ID,
	})
}

// files reads attachments at the admission, as OpenCode does (section 5, capture 06).
// There are no files here that a file: address could name.
func (r *request) files() []data {
	given := objects(r.body["files"])
	var files []data
	for _, g := range given {
		uri, ok := g["uri"].(string)
		if !ok {
			panic(invalid())
		}
		file, ok := attachment(uri)
		if !ok {
			panic(tagged(http.StatusBadRequest, "InvalidRequestError", "Unable to read attachment: "+uri, data{"field": "files"}))
		}
		if name, ok := g["name"].(string); ok {
			file["name"] = name
		}
		files = append(files, file)
	}
	return files
}

func attachment(uri string) (data, bool) {
	rest, _ := strings.CutPrefix(uri, "data:")
	mime, encoded, ok := strings.Cut(rest, ";base64,")
	_, err := base64.StdEncoding.DecodeString(encoded)
	return data{"data": encoded, "mime": mime, "source": data{"type": "inline"}}, ok && err == nil
}

func decoded(file data) []byte {
	encoded, _ := file["data"].(string)
	raw, _ := base64.StdEncoding.DecodeString(encoded) // was looked at before
	return raw
}

func pendingInputs(r *request) answer {
	ses := r.session()
	found := []data{}
	for _, in := range ses.waiting {
		found = append(found, r.sim.wireInput(in))
	}
	return wrapped(found)
}

// runCommand makes a prompt of a command's template (section 5, captures 06, 15).
// Release names its keys differently and answers 204 ([S]).
func runCommand(r *request) answer {
	key, arguments := "command", "arguments"
	if r.sim.opts.Shape == Release {
		key, arguments = "name", "text"
	}
	name := r.text(key, true)
	given := r.text(arguments, false)
	r.session()
	commands := r.sim.opts.commands()
	i := slices.IndexFunc(commands, func(c Command) bool { return c.Name == name })
	if i < 0 {
		panic(tagged(http.StatusNotFound, "CommandNotFoundError", "Command not found: "+name, data{"command": name}))
	}
	text := strings.ReplaceAll(commands[i].Template, "$ARGUMENTS", given)
	admitted := r.admit(data{"text": text}, name)
	if r.sim.opts.Shape == Release {
		return done()
	}
	return admitted
}

// listOf answers a list that belongs to a directory.
func listOf(r *request, items []data) answer {
	dir := r.directory()
	return r.listed(dir, list(items))
}

func listAgents(r *request) answer {
	var found []data
	for _, a := range r.sim.opts.agents() {
		effect := "allow"
		if a.Mute {
			effect = "deny"
		}
		found = append(found, data{
			"id": a.Name, "name": strings.ToUpper(a.Name[:1]) + a.Name[1:], "mode": a.Mode, "hidden": a.Hidden,
			"request": data{"settings": data{}, "headers": data{}, "body": data{}},
			"permissions": []data{
				{"action": "*", "resource": "*", "effect": "allow"},
				{"action": "question", "resource": "*", "effect": effect},
			},
		})
	}
	return listOf(r, found)
}

func listModels(r *request) answer {
	var found []data
	for _, name := range r.sim.opts.models() {
		provider, id, _ := strings.Cut(name, "/")
		found = append(found, data{
			"id": id, "modelID": id, "providerID": provider, "name": strings.ToUpper(id[:1]) + id[1:],
			"capabilities": data{"tools": true, "input": []string{"text"}, "output": []string{"text"}},
			"variants":     []data{}, "time": data{"released": 0}, "cost": []data{}, "status": "active", "enabled": true,
			"limit": data{"context": 200000, "output": 8000},
		})
	}
	return loaded(r, found)
}

// loaded is listOf for what a directory knows only some time after its boot.
func loaded(r *request, items []data) answer {
	if dir := r.directory(); time.Since(r.sim.booted[dir]) < r.sim.opts.ModelLag {
		items = nil
	}
	return listOf(r, items)
}

func listCommands(r *request) answer {
	var found []data
	for _, c := range r.sim.opts.commands() {
		found = append(found, data{"name": c.Name, "template": c.Template, "description": c.Description})
	}
	return listOf(r, found)
}

func vcsDiff(r *request) answer {
	if mode := r.URL.Query().Get("mode"); mode != "working" && mode != "branch" {
		panic(invalid())
	}
	return listOf(r, changes(r))
}

// sessionDiff is Release's (section 5, [S]).
func sessionDiff(r *request) answer {
	r.session()
	return wrapped(changes(r))
}

func changes(r *request) []data {
	found := []data{}
	for _, c := range r.sim.opts.Changes {
		found = append(found, data{
			"file": c.File, "additions": c.Additions, "deletions": c.Deletions, "status": c.Status, "patch": c.Patch,
		})
	}
	return found
}
