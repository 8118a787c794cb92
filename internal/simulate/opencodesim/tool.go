package opencodesim

import (
	"encoding/json"
	"path"
	"strings"

	"hermes/internal/simulate/opencodesim/model"
)

// toolUse is a tool call as the agent makes it: what it asks leave for, one after
// the other, and what it comes to when all is granted.
type toolUse struct {
	tool    string
	input   any
	asks    []Permission
	makes   []string // files
	removes []string // files
	before  string   // of a file that is changed
	after   string
	title   string
	output  string
	more    map[string]any // metadata of the settled call
}

// toolInput is what the known tools take, as far as it matters here.
type toolInput struct {
	Command     string `json:"command"`
	Description string `json:"description"`
	Workdir     string `json:"workdir"`
	FilePath    string `json:"filePath"`
	OldString   string `json:"oldString"`
	NewString   string `json:"newString"`
	Content     string `json:"content"`
	PatchText   string `json:"patchText"`
	URL         string `json:"url"`
	Format      string `json:"format"`
}

// useOf says what a scripted call asks for in the project dir. bash, edit, write,
// apply_patch and webfetch ask as they do in OpenCode; any other tool asks for everything.
func (is behaviour) useOf(a model.Action, dir string) toolUse {
	var in toolInput
	_ = json.Unmarshal(a.Args, &in) // what is not there is empty
	u := toolUse{tool: a.Tool, input: a.Args, title: a.Tool, output: "done"}
	switch a.Tool {
	case "bash":
		is.useBash(&u, in, dir)
	case "edit":
		u.edits(in.FilePath, in.OldString, in.NewString, dir)
		u.output = "Edit applied successfully."
	case "write":
		u.edits(in.FilePath, "", in.Content, dir)
		u.output = "Wrote file successfully."
	case "apply_patch":
		is.patches(&u, in.PatchText, dir)
	case "webfetch":
		u.asks = []Permission{{
			Permission: "webfetch", Patterns: []string{in.URL}, Always: []string{"*"},
			Metadata: map[string]any{"url": in.URL, "format": in.Format},
		}}
	default:
		u.asks = []Permission{{Permission: a.Tool, Patterns: []string{"*"}, Always: []string{"*"}}}
	}
	return u
}

// useBash: a folder outside the project is asked for before the command. On
// 1.1.53 neither ask has metadata: the command is only in the tool call's input.
func (is behaviour) useBash(u *toolUse, in toolInput, dir string) {
	known := func(m map[string]any) map[string]any {
		if !is.modern {
			return map[string]any{}
		}
		m["command"] = in.Command
		return m
	}
	if dirs := outsideOf(dir, in); len(dirs) > 0 {
		patterns := suffixed(dirs, "/*")
		u.asks = append(u.asks, Permission{
			Permission: "external_directory", Patterns: patterns, Always: patterns,
			Metadata: known(map[string]any{"directories": dirs, "patterns": patterns}),
		})
	}
	if patterns := commandsIn(in.Command); len(patterns) > 0 {
		u.asks = append(u.asks, Permission{
			Permission: "bash", Patterns: patterns, Always: prefixes(patterns), Metadata: known(map[string]any{}),
		})
	}
	u.title, u.output = in.Command, "(no output)"
	u.more = map[string]any{"output": u.output, "exit": 0}
	if !is.modern {
		u.title, u.output = in.Description, ""
		u.more = map[string]any{"output": "", "exit": 0, "description": in.Description}
	}
	u.makes = madeBy(in.Command, dir)
}

// edits is what a change of a file asks for: both versions give the diff.
func (u *toolUse) edits(file, before, after, dir string) {
	name := relative(dir, file)
	if strings.HasPrefix(name, "../") {
		parent := path.Dir(file)
		patterns := []string{parent + "/*"}
		u.asks = append(u.asks, Permission{
			Permission: "external_directory", Patterns: patterns, Always: patterns,
			Metadata: map[string]any{"filepath": file, "parentDir": parent},
		})
	}
	u.asks = append(u.asks, Permission{
		Permission: "edit", Patterns: []string{name}, Always: []string{"*"},
		Metadata: map[string]any{"filepath": file, "diff": diff(file, before, after)},
	})
	u.title, u.makes = name, []string{file}
	u.before, u.after = before, after
}

// useV2 is the same call in the new runner: one ask for the whole command or the
// file, without metadata, and none for a folder outside the project.
func (u *toolUse) useV2(in toolInput) {
	if len(u.asks) == 0 {
		return
	}
	last := u.asks[len(u.asks)-1]
	last.Metadata = nil
	if u.tool == "bash" {
		last.Patterns, last.Always = []string{in.Command}, []string{in.Command}
	}
	u.asks = []Permission{last}
}
