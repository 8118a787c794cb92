package opencode2sim

import (
	"encoding/json"
	"fmt"
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

// run carries a call out, as far as that needs nobody.
func (s *Simulator) run(c *call, a model.Action) {
	var in toolInput
	_ = json.Unmarshal(a.Args, &in) // what is not there is empty
	if in.Path == "" {
		in.Path = in.FilePath
	}
	switch toolName(a) {
	case "question":
		s.runQuestion(c, a.Args)
	case "subagent":
		s.runSubagent(c, in)
	default:
		s.runPermitted(c, s.wants(c.turn.ses.dir(), a, in), func() { s.carryOut(c, in) })
	}
}

// runPermitted asks for what is not granted yet, one after the other, and then goes on.
func (s *Simulator) runPermitted(c *call, wants []permit, then func()) *leave {
	for i, want := range wants {
		if !s.leaves.asks(c.turn.ses, want) {
			continue
		}
		var l *leave
		l = s.leaves.ask(c, want, func(reply, message string) {
			s.Reply(l.id, c.part.call, [][]string{{reply}})
			s.later(c.turn, func() { s.decided(c, want, reply, message, func() { s.runPermitted(c, wants[i+1:], then) }) })
		})
		return l
	}
	then()
	return nil
}

// decided is what a decision comes to. The words of a reject are lost: the model is
// told that there was an error, and not which (section 4, capture 05); Release has the
// tool's own generic words in its place ([S]).
func (s *Simulator) decided(c *call, want permit, reply, message string, then func()) {
	switch {
	case reply != "reject":
		then()
	case message == "":
		s.abort(c, s.names.declined)
	case s.opts.Shape == Release:
		s.failure(c, "unknown", unable(want), unable(want))
	default:
		s.failure(c, "unknown", "", unable(want))
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

// wants is what a call asks for (section 4, capture 05): a shell command as it stands, on Release its parts;
// an edit by its path and for ever for all; other tools for everything.
func (s *Simulator) wants(dir string, a model.Action, in toolInput) []permit {
	switch toolName(a) {
	case "shell":
		if s.opts.Shape == Release {
			return parsed(in.Command)
		}
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

// parsed are the commands of a command line, each as it stands there, without cd, and the beginning of each as what always
// would allow (section 10; shell/parse.ts). Quotes are not looked at, and all but some programs have one word.
func parsed(line string) []permit {
	want := permit{action: "shell"}
	for _, command := range regexp.MustCompile(`&&|[|][|]|[;|\n]`).Split(line, -1) {
		words := strings.Fields(command)
		if len(words) == 0 || words[0] == "cd" {
			continue
		}
		if slices.Contains([]string{"git", "go", "make", "npm"}, words[0]) {
			words = words[:min(2, len(words))]
		} else {
			words = words[:1]
		}
		want.resources, want.save = append(want.resources, strings.TrimSpace(command)), append(want.save, strings.Join(words, " ")+" *")
	}
	if want.resources == nil {
		return nil
	}
	return []permit{want}
}

func outside(dir, file string) []permit {
	if name := relative(dir, file); !path.IsAbs(name) && !strings.HasPrefix(name, "../") {
		return nil
	}
	folder := path.Dir(path.Join("/", file)) + "/*"
	return []permit{{action: "external_directory", resources: []string{folder}, save: []string{folder}}}
}

// carryOut does what was granted; nothing happens to any disk.
func (s *Simulator) carryOut(c *call, in toolInput) {
	if !c.turn.live() || c.settled {
		return
	}
	s.Run(c.part.call)
	dir := c.turn.ses.dir()
	name := relative(dir, in.Path)
	if c.part.tool == "write" || c.part.tool == "edit" {
		c.turn.step.changed = append(c.turn.step.changed, name)
	}
	switch c.part.tool {
	case "shell":
		s.shell(c.turn.ses, in.Command)
		s.complete(c, data{"exit": 0, "truncated": false}, s.opts.shell(in.Command), "Command exited with code 0.")
	case "write":
		s.complete(c, data{"operation": "write", "target": absolute(dir, name), "resource": name, "existed": false},
			"Created file successfully: "+name)
	case "edit":
		s.complete(c, data{"files": []data{s.edited(name, in)}, "replacements": 1},
			fmt.Sprintf("Edited file successfully: %s\nReplacements: 1\n```diff\n-%s\n+%s\n```", name, in.OldString, in.NewString))
	default:
		s.complete(c, nil, "done")
	}
}

func (s *Simulator) edited(name string, in toolInput) data {
	patch := fmt.Sprintf("Index: %s\n%s\n--- %s\n+++ %s\n@@ -1,1 +1,1 @@\n-%s\n+%s\n",
		name, strings.Repeat("=", 67), name, name, in.OldString, in.NewString)
	return data{"file": name, "patch": patch, "additions": 1, "deletions": 1, "status": "modified"}
}

// shell publishes the life of a command's process (capture 05).
func (s *Simulator) shell(ses *session, command string) {
	id := s.disk.mint.Ascending("sh")
	info := data{
		"id": id, "status": "running", "command": command, "cwd": ses.dir(), "shell": "/bin/bash",
		"file":     path.Join(s.opts.Home, ".local/share/opencode/shell", ses.info.ProjectID, id+".out"),
		"metadata": data{"sessionID": ses.info.ID}, "time": data{"started": now()},
	}
	s.bus.in(ses.dir(), "shell.created", data{"info": info})
	s.bus.in(ses.dir(), "shell.exited", data{"id": id, "exit": 0, "status": "exited"})
}

// runSubagent starts a session of its own for an agent (section 3.3, capture 07). In
// the background the call ends at once, and the parent is woken at its end.
func (s *Simulator) runSubagent(c *call, in toolInput) *session {
	if in.Agent == "" {
		in.Agent = in.Subagent
	}
	parent := c.turn.ses
	child := s.create(newSession{dir: parent.dir(), title: in.Description, parent: parent.info.ID, agent: in.Agent})
	state := data{"sessionID": child.info.ID, "status": "running"}
	c.part.result = state
	s.inStep(c.turn, "session.tool.progress", data{s.names.call: c.part.call, s.names.structured: state, "content": []data{}})
	s.admit(child, &input{
		id: s.disk.mint.Ascending("msg"), kind: "user", delivery: "steer", payload: data{"text": in.Prompt},
	})
	if in.Background {
		text := "The subagent is working in the background (id: " + child.info.ID +
			"). You will be notified automatically when it finishes. DO NOT sleep, poll, or proactively check on its progress."
		s.complete(c, data{"sessionID": child.info.ID, "status": "running", "output": text}, text)
	}
	s.wakeFor(child, c, in.Background)
	return child
}

// wakeFor is wake for a subagent, whose turn knows who waits for it before it begins.
func (s *Simulator) wakeFor(child *session, c *call, background bool) {
	t := &turn{ses: child}
	if background {
		t.wakes = c.turn.ses
	} else {
		t.parent, c.child = c, t
	}
	s.start(t)
}

// handOver tells the parent how a subagent's turn ended.
func (s *Simulator) handOver(t *turn, how string) {
	c := t.parent
	switch {
	case c != nil && c.turn.live() && how == "succeeded":
		s.complete(c, data{"sessionID": t.ses.info.ID, "status": "completed", "output": t.said}, t.said)
	case c != nil && c.turn.live():
		s.failure(c, "tool.execution", "Subagent cancelled", "Subagent cancelled")
	case t.wakes != nil && !t.wakes.deleted:
		s.notify(t, how)
	}
}

// notify wakes the parent of a subagent in the background.
func (s *Simulator) notify(t *turn, how string) {
	state := "completed"
	if how != "succeeded" {
		state = "cancelled"
	}
	s.admit(t.wakes, &input{
		id: s.disk.mint.Ascending("msg"), kind: "synthetic", delivery: "steer",
		payload: data{
			"text":        fmt.Sprintf("<subagent id=%q state=%q description=%q>\n%s\n</subagent>", t.ses.info.ID, state, t.ses.info.Title, t.said),
			"description": t.ses.info.Title,
			"metadata":    data{"source": "subagent", "childID": t.ses.info.ID, "agent": t.ses.agentName(), "state": state},
		},
	})
	s.wake(t.wakes)
}

// runQuestion asks. An agent without the tool cannot, and a list of no questions or
// with a question that lacks a key fails before there is a form (section 3.3,
// captures 07, 19).
func (s *Simulator) runQuestion(c *call, args json.RawMessage) *form {
	if s.mute(c.turn.ses.agentName()) {
		s.failure(c, "tool.unknown", "Unknown tool: question", "Unknown tool: question")
		return nil
	}
	questions, ok := model.ReadQuestions(args)
	if !ok || len(questions) == 0 {
		s.failure(c, "tool.invalid-input", invalidInput, invalidInput)
		return nil
	}
	var f *form
	s.runPermitted(c, []permit{{action: "question", resources: []string{"*"}, save: []string{"*"}}}, func() {
		f = s.ask(c, questions)
	})
	return f
}

const invalidInput = "Invalid tool input" // in which words a call fails so was not captured

func (s *Simulator) mute(agent string) bool {
	return slices.ContainsFunc(s.opts.agents(), func(a Agent) bool { return a.Name == agent && a.Mute })
}

// ask opens the form of a question call (section 3.1).
func (s *Simulator) ask(c *call, questions []model.Question) *form {
	f := &form{
		owner: c.turn.ses.info.ID, dir: c.turn.ses.dir(), title: "Questions",
		metadata: data{"kind": "question", "tool": data{"messageID": c.turn.step.id, s.names.call: c.part.call}},
	}
	for i, q := range questions {
		f.fields = append(f.fields, questionField(i, q))
	}
	f.answered = func(answer data) {
		given := answersOf(questions, answer)
		s.Reply(f.id, c.part.call, given)
		s.later(c.turn, func() { s.complete(c, data{"answers": given}, model.Answered(questions, given)) })
	}
	f.cancelled = func(message string) {
		s.Reply(f.id, "", nil)
		s.later(c.turn, func() {
			if message != "" {
				s.failure(c, "unknown", message, message)
				return
			}
			s.abort(c, s.names.dismissed)
		})
	}
	s.forms.open(f)
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
