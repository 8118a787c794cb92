package opencode2sim

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
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
