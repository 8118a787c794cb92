package opencode2sim

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"hermes/internal/simulate/opencodesim/model"
)

// toolInput is what the known tools take, as far as it matters here.
type toolInput struct {
	Command     string `json:"command"`
	Path        string `json:"path"`
	FilePath    string `json:"filePath"`
	OldString   string `json:"oldString"`
	NewString   string `json:"newString"`
	Content     string `json:"content"`
	URL         string `json:"url"`
	Code        string `json:"code"`
	Agent       string `json:"agent"`
	Subagent    string `json:"subagent_type"`
	Description string `json:"description"`
	Prompt      string `json:"prompt"`
	Background  bool   `json:"background"`
}

// toolName is the tool's name in 2.x: scripts may use the one of 1.x.
func toolName(a model.Action) string {
	switch a.Tool {
	case "bash":
		return "shell"
	case "task":
		return "subagent"
	}
	return a.Tool
}

// toolbox is the agents' tools.
type toolbox struct{ *stepper }

// run carries a call out, as far as that needs nobody.
func (r *toolbox) run(c *call, a model.Action) {
	var in toolInput
	_ = json.Unmarshal(a.Args, &in) // what is not there is empty
	if in.Path == "" {
		in.Path = in.FilePath
	}
	switch toolName(a) {
	case "question":
		r.runQuestion(c, a.Args)
	case "subagent":
		r.runSubagent(c, in)
	case "execute":
		r.runExecute(c, in.Code)
	default:
		r.runPermitted(c, r.wants(c.turn.ses.dir(), a, in), func() { r.carryOut(c, in) })
	}
}

// runPermitted asks for what is not granted yet, one after the other, and then goes on.
func (r *toolbox) runPermitted(c *call, wants []permit, then func()) *leave {
	for i, want := range wants {
		switch r.leaves.verdict(c.turn.ses, want) {
		case "allow":
			continue
		case "deny":
			r.failure(c, "unknown", "", unable(want))
			return nil
		}
		var l *leave
		l = r.leaves.ask(c, want, func(reply, message string) {
			r.record.answered(l.id, c.part.call, [][]string{{reply}})
			r.later(c.turn, func() { r.decided(c, want, reply, message, func() { r.runPermitted(c, wants[i+1:], then) }) })
		})
		return l
	}
	then()
	return nil
}

// decided is what a decision comes to. The words of a reject are lost: the model is
// told that there was an error, and not which (section 4, capture 05); Release has the
// tool's own generic words in its place ([S]).
func (r *toolbox) decided(c *call, want permit, reply, message string, then func()) {
	switch {
	case reply != "reject":
		then()
	case message == "":
		r.abort(c, interrupted)
	case r.opts.Shape == Release:
		r.failure(c, "unknown", unable(want), unable(want))
	default:
		r.failure(c, "unknown", "", unable(want))
	}
}

func unable(want permit) string {
	switch want.action {
	case "shell":
		return "Unable to execute command: " + strings.Join(want.resources, " ")
	case "edit":
		return "Unable to edit " + strings.Join(want.resources, ", ")
	}
	return "Unable to " + want.action + " " + strings.Join(want.resources, ", ")
}

// wants is what a call asks for (section 4, capture 05): a shell command as it stands,
// an edit by its path and for ever for all; other tools for everything.
func (r *toolbox) wants(dir string, a model.Action, in toolInput) []permit {
	switch toolName(a) {
	case "shell":
		return []permit{{action: "shell", resources: []string{in.Command}, save: []string{in.Command}}}
	case "edit", "write", "patch":
		return append(outside(dir, in.Path), permit{
			action: "edit", resources: []string{relative(dir, in.Path)}, save: []string{"*"},
		})
	case "read":
		return append(outside(dir, in.Path), permit{
			action: "read", resources: []string{relative(dir, in.Path)}, save: []string{"*"},
		})
	case "webfetch":
		return []permit{{action: "webfetch", resources: []string{in.URL}, save: []string{"*"}}}
	}
	return []permit{{action: a.Tool, resources: []string{"*"}, save: []string{"*"}}}
}

func outside(dir, file string) []permit {
	if name := relative(dir, file); !path.IsAbs(name) && !strings.HasPrefix(name, "../") {
		return nil
	}
	folder := path.Dir(path.Join("/", file)) + "/*"
	return []permit{{action: "external_directory", resources: []string{folder}, save: []string{folder}}}
}

// carryOut does what was granted; nothing happens to any disk.
func (r *toolbox) carryOut(c *call, in toolInput) {
	if !c.turn.live() || c.settled {
		return
	}
	r.record.ran[c.part.call] = true
	if c.part.tool == "write" || c.part.tool == "edit" {
		name := relative(c.turn.ses.dir(), in.Path)
		c.turn.step.changed = append(c.turn.step.changed, name)
		r.record.files[absolute(c.turn.ses.dir(), name)] = true
	}
	dir := c.turn.ses.dir()
	name := relative(dir, in.Path)
	switch c.part.tool {
	case "shell":
		r.shell(c.turn.ses, in.Command)
		r.complete(c, data{"exit": 0, "truncated": false}, r.opts.shell(in.Command), "Command exited with code 0.")
	case "write":
		r.complete(c, data{"operation": "write", "target": absolute(dir, name), "resource": name, "existed": false},
			"Created file successfully: "+name)
	case "edit":
		r.complete(c, data{"files": []data{r.edited(name, in)}, "replacements": 1},
			fmt.Sprintf("Edited file successfully: %s\nReplacements: 1\n```diff\n-%s\n+%s\n```", name, in.OldString, in.NewString))
	default:
		r.complete(c, nil, "done")
	}
}

func (r *toolbox) edited(name string, in toolInput) data {
	patch := fmt.Sprintf("Index: %s\n%s\n--- %s\n+++ %s\n@@ -1,1 +1,1 @@\n-%s\n+%s\n",
		name, strings.Repeat("=", 67), name, name, in.OldString, in.NewString)
	return data{"file": name, "patch": patch, "additions": 1, "deletions": 1, "status": "modified"}
}

// shell publishes the life of a command's process (capture 05).
func (r *toolbox) shell(ses *session, command string) data {
	id := r.disk.mint.Ascending("sh")
	info := data{
		"id": id, "status": "running", "command": command, "cwd": ses.dir(), "shell": "/bin/bash",
		"file":     path.Join(r.opts.Home, ".local/share/opencode/shell", ses.info.ProjectID, id+".out"),
		"metadata": data{"sessionID": ses.info.ID}, "time": data{"started": now()},
	}
	r.bus.in(ses.dir(), "shell.created", data{"info": info})
	r.bus.in(ses.dir(), "shell.exited", data{"id": id, "exit": 0, "status": "exited"})
	done := maps.Clone(info)
	done["status"], done["exit"], done["metadata"], done["pid"] = "exited", 0, data{}, 17560
	done["time"] = data{"started": now(), "completed": now()}
	return done
}

// runQuestion asks. An agent without the tool cannot, and a list of no questions or
// with a question that lacks a key fails before there is a form (section 3.3,
// captures 07, 19).
func (r *toolbox) runQuestion(c *call, args json.RawMessage) *form {
	if r.mute(c.turn.ses.agentName()) {
		r.failure(c, "tool.unknown", "Unknown tool: question", "Unknown tool: question")
		return nil
	}
	questions, ok := readQuestions(args)
	if !ok {
		r.failure(c, "tool.invalid-input", invalidInput, invalidInput)
		return nil
	}
	var f *form
	r.runPermitted(c, []permit{{action: "question", resources: []string{"*"}, save: []string{"*"}}}, func() {
		f = r.ask(c, questions)
	})
	return f
}

const invalidInput = "Invalid tool input"

func (r *toolbox) mute(agent string) bool {
	return slices.ContainsFunc(r.opts.agents(), func(a Agent) bool { return a.Name == agent && a.Mute })
}

// readQuestions reads a call's input: at least one question, each with its text, a
// header and a list of options, which may be empty (section 3.1, capture 19).
func readQuestions(args json.RawMessage) ([]model.Question, bool) {
	var in struct {
		Questions []struct {
			Question, Header *string
			Options          *[]model.Option
			Multiple         bool
		}
	}
	if json.Unmarshal(args, &in) != nil || len(in.Questions) == 0 {
		return nil, false
	}
	var questions []model.Question
	for _, q := range in.Questions {
		if q.Question == nil || q.Header == nil || q.Options == nil {
			return nil, false
		}
		questions = append(questions, model.Question{Question: *q.Question, Header: *q.Header, Options: *q.Options, Multiple: q.Multiple})
	}
	return questions, true
}

// ask opens the form of a question call (section 3.1).
func (r *toolbox) ask(c *call, questions []model.Question) *form {
	f := &form{
		owner: c.turn.ses.info.ID, dir: c.turn.ses.dir(), title: "Questions",
		metadata: data{"kind": "question", "tool": data{"messageID": c.turn.step.id, r.names.call: c.part.call}},
	}
	for i, q := range questions {
		f.fields = append(f.fields, questionField(i, q))
	}
	f.answered = func(answer data) {
		given := answersOf(questions, answer)
		r.record.answered(f.id, c.part.call, given)
		r.later(c.turn, func() { r.complete(c, data{"answers": given}, answeredText(questions, answer)) })
	}
	f.cancelled = func(message string) {
		r.record.answered(f.id, "", nil)
		r.later(c.turn, func() {
			if message != "" {
				r.failure(c, "unknown", message, message)
				return
			}
			r.abort(c, r.names.dismissed)
		})
	}
	r.forms.open(f)
	return f
}

func questionField(i int, q model.Question) data {
	options := []data{}
	for _, o := range q.Options {
		options = append(options, data{"value": o.Label, "label": o.Label, "description": o.Description})
	}
	kind := "string"
	if q.Multiple {
		kind = "multiselect"
	}
	return data{
		"key": fmt.Sprintf("q%d", i), "title": q.Header, "description": q.Question, "type": kind,
		"options": options, "custom": true,
	}
}

// answersOf is an answer as the call's result has it: a list for each question.
func answersOf(questions []model.Question, answer data) [][]string {
	given := make([][]string, len(questions))
	for i := range questions {
		given[i] = []string{}
		switch v := answer[fmt.Sprintf("q%d", i)].(type) {
		case string:
			given[i] = []string{v}
		case []any:
			for _, item := range v {
				text, _ := item.(string)
				given[i] = append(given[i], text)
			}
		}
	}
	return given
}

// answeredText is what the model reads (section 3.3, capture 03).
func answeredText(questions []model.Question, answer data) string {
	pairs := make([]string, len(questions))
	for i, given := range answersOf(questions, answer) {
		text := strings.Join(given, ", ")
		if len(given) == 0 {
			text = "Unanswered"
		}
		pairs[i] = fmt.Sprintf(`"%s"="%s"`, questions[i].Question, text)
	}
	return "User has answered your questions: " + strings.Join(pairs, ", ") +
		". You can now continue with the user's answers in mind."
}

// Elicitation is what an MCP tool asks its user (section 3.4): the message and the
// fields, or the address of a page that the user has to visit. A nil result asks nothing.
type Elicitation func(args map[string]any) *Elicited

// Elicited is one form of an MCP server.
type Elicited struct {
	Message string
	Fields  []map[string]any
	URL     string
}

// runExecute runs code that calls one MCP tool.
func (r *toolbox) runExecute(c *call, code string) {
	found := regexp.MustCompile(`tools\.(\w+)\.(\w+)\((.*)\)`).FindStringSubmatch(code)
	if found == nil {
		r.complete(c, data{"toolCalls": []data{}}, "undefined")
		return
	}
	server, tool := found[1], found[1]+"."+found[2]
	elicit := r.opts.Tools[tool]
	if elicit == nil {
		r.failure(c, "tool.execution", "Unknown tool: "+tool, "Unknown tool: "+tool)
		return
	}
	var args data
	_ = json.Unmarshal([]byte(found[3]), &args)
	done := func(reply any) {
		record := data{"tool": tool, "status": "completed"}
		if len(args) > 0 {
			record["input"] = args
		}
		r.later(c.turn, func() { r.complete(c, data{"toolCalls": []data{record}}, "elicitation said "+spaced(reply)) })
	}
	want := elicit(args)
	if want == nil {
		done(data{"action": "decline"})
		return
	}
	r.elicit(c.turn.ses.dir(), server, *want, done)
}

// spaced is JSON as the captures' MCP server writes it.
func spaced(v any) string {
	raw, _ := json.Marshal(v)
	return strings.NewReplacer(`":`, `": `, `,"`, `, "`, `",`, `", `).Replace(string(raw))
}

// elicit opens the form of an MCP server. No session owns it: an interrupt leaves it.
func (r *toolbox) elicit(dir, server string, want Elicited, done func(reply any)) *form {
	f := &form{
		owner: global, dir: dir, title: server + " is requesting input", fields: want.Fields,
		metadata: data{"kind": "mcp-elicitation", "server": server, "message": want.Message},
	}
	if want.URL != "" {
		f.metadata["elicitationID"] = r.disk.mint.Ascending("elicit")
		f.fields = []data{{"key": "elicitation", "type": "external", "url": want.URL}}
	}
	f.answered = func(answer data) {
		r.record.answered(f.id, "", nil)
		reply := data{"action": "accept"}
		if want.URL == "" {
			reply["content"] = answer
		}
		done(reply)
	}
	f.cancelled = func(string) {
		r.record.answered(f.id, "", nil)
		done(data{"action": "cancel"})
	}
	r.forms.open(f)
	return f
}
