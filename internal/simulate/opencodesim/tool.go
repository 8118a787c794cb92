package opencodesim

import (
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"hermes/internal/simulate/opencodesim/model"
)

// toolUse is a tool call as the agent makes it: what it asks leave for, one after
// the other, and what it comes to when all is granted.
type toolUse struct {
	tool   string
	input  any
	asks   []Permission
	makes  []string // files
	before string   // of a file that is changed
	after  string
	title  string
	output string
	more   map[string]any // metadata of the settled call
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
	URL         string `json:"url"`
	Format      string `json:"format"`
}

// useOf says what a scripted call asks for in the project dir. bash, edit, write
// and webfetch ask as they do in OpenCode; any other tool asks for everything.
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

// diff is a change of a file in the form of OpenCode's metadata, as if the two
// texts were all that is in the file.
func diff(file, before, after string) string {
	gone, come := linesOf(before), linesOf(after)
	var b strings.Builder
	fmt.Fprintf(&b, "Index: %s\n%s\n--- %s\n+++ %s\n", file, strings.Repeat("=", 67), file, file)
	fmt.Fprintf(&b, "@@ -%s +%s @@\n", span(gone), span(come))
	for _, line := range gone {
		b.WriteString("-" + line + "\n")
	}
	for _, line := range come {
		b.WriteString("+" + line + "\n")
	}
	return b.String()
}

func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func span(lines []string) string {
	if len(lines) == 0 {
		return "0,0"
	}
	return fmt.Sprintf("1,%d", len(lines))
}

// commandsIn are the commands of a shell line as bash asks for them: cut at &&, ||,
// |, ; and line ends outside of quotes, without cd. Unlike OpenCode this knows
// neither here-documents nor $(…).
func commandsIn(line string) []string {
	var list []string
	for _, command := range cut(line) {
		if command != "" && firstWord(command) != "cd" {
			list = append(list, command)
		}
	}
	return list
}

func cut(line string) []string {
	var list []string
	var quote rune
	start := 0
	for i, r := range line {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'':
			quote = r
		case strings.ContainsRune(";|\n", r), strings.HasPrefix(line[i:], "&&"):
			list = append(list, strings.TrimSpace(line[start:i]))
			start = i + 1
		case r == '&' && start == i:
			start++ // the second of &&
		}
	}
	return append(list, strings.TrimSpace(line[start:]))
}

// wordsOf is how many words of a command make its name; OpenCode has a long table
// of those with more than one.
func wordsOf(name string) int {
	switch name {
	case "git", "npm", "docker", "go":
		return 2
	case "npm run":
		return 3
	}
	return 1
}

// prefixes are the patterns that always would allow for commands: the name and
// whatever follows.
func prefixes(commands []string) []string {
	list := make([]string, 0, len(commands))
	for _, command := range commands {
		list = append(list, commandName(strings.Fields(command))+" *")
	}
	return list
}

func commandName(fields []string) string {
	for len(fields) > 1 && strings.Contains(fields[0], "=") {
		fields = fields[1:] // a variable for the command alone
	}
	name := fields[0]
	for n := 1; wordsOf(name) > n; {
		n = wordsOf(name)
		name = strings.Join(fields[:min(n, len(fields))], " ")
	}
	return name
}

// outsideOf are the folders outside the project that a command is about: its
// workdir, and those of the absolute paths in it.
func outsideOf(dir string, in toolInput) []string {
	var list []string
	add := func(folder string) {
		if relative(dir, folder) == ".." || strings.HasPrefix(relative(dir, folder), "../") {
			if len(list) == 0 || list[len(list)-1] != folder {
				list = append(list, folder)
			}
		}
	}
	if in.Workdir != "" {
		add(path.Clean(in.Workdir))
	}
	for _, word := range strings.Fields(in.Command) {
		if strings.HasPrefix(word, "/") {
			add(path.Dir(word))
		}
	}
	return list
}

// madeBy are the files that the commands touch and mkdir make.
func madeBy(line, dir string) []string {
	var list []string
	for _, command := range commandsIn(line) {
		fields := strings.Fields(command)
		if name := fields[0]; name != "touch" && name != "mkdir" {
			continue
		}
		for _, file := range fields[1:] {
			if !strings.HasPrefix(file, "/") {
				file = path.Join(dir, file)
			}
			list = append(list, file)
		}
	}
	return list
}

// relative is a path as OpenCode names it in a project.
func relative(dir, file string) string {
	name, err := filepath.Rel(dir, file)
	if err != nil {
		return file
	}
	return filepath.ToSlash(name)
}

func firstWord(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}

func suffixed(list []string, suffix string) []string {
	all := make([]string, 0, len(list))
	for _, text := range list {
		all = append(all, text+suffix)
	}
	return all
}
