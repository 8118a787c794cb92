//go:build e2e

package e2e_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hermes/e2e/lab"
	"hermes/internal/simulate/opencodesim/model"
)

// permissionDialogue is what a terminal shows while it asks for permission.
const permissionDialogue = "Permission required"

// run makes the model call bash for each command, in one step.
func run(commands ...string) string {
	var lines []string
	for _, c := range commands {
		lines = append(lines, tool("bash", map[string]string{"command": c, "description": "d"}))
	}
	return strings.Join(lines, "\n")
}

func tool(name string, input map[string]string) string {
	raw, err := json.Marshal(input)
	if err != nil {
		panic(err) // strings always encode
	}
	return "CALL " + name + " " + string(raw)
}

// path is where a file of the project is.
func (w *window) path(name string) string { return filepath.Join(w.Dir, name) }

func (w *window) awaitFile(name string) {
	w.t.Helper()
	eventually(w.t, name+" is made", func() bool { return lab.Exists(w.path(name)) })
}

// noFile holds that a command was not run.
func (w *window) noFile(name string) {
	w.t.Helper()
	if lab.Exists(w.path(name)) {
		w.t.Errorf("%s is there: what makes it was run", name)
	}
}

// toldOf waits until the model has the result of the call whose arguments contain
// part, and holds that it is this one, once.
func (w *window) toldOf(part, want string) {
	w.t.Helper()
	var got []string
	w.awaitModel("the result of "+part, func(rs []model.Request) bool {
		got = resultsOf(rs, func(c model.ToolCall) bool { return strings.Contains(c.Arguments, part) })
		return len(got) > 0
	})
	if len(got) != 1 || got[0] != want {
		w.t.Errorf("the model was told %q of %s, want only %q", got, part, want)
	}
}

// quiet is what the model is told of a command without output.
func (w *window) quiet() string {
	if w.Version == "1.1.53" {
		return ""
	}
	return "(no output)"
}

// rejection is what the model is told of a rejected call; a note may be empty.
func (w *window) rejection(note string) string {
	text := "The user rejected permission to use this specific tool call."
	if note != "" {
		text = strings.TrimSuffix(text, ".") + " with the following feedback: " + note
	}
	if w.Version == "1.1.53" {
		text = "Error: " + text
	}
	return text
}

// allowHere allows an ask past hermes, by keys or by HTTP; rejectHere rejects it.
func (w *window) allowHere(pattern string)  { w.decideHere(pattern, "once", "Enter") }
func (w *window) rejectHere(pattern string) { w.decideHere(pattern, "reject", "Escape") }

func (w *window) decideHere(pattern, reply, key string) {
	w.t.Helper()
	if w.Mode == lab.TUI {
		w.AwaitScreen(permissionDialogue)
		w.SendKeys(key)
		return
	}
	w.post("/permission/"+w.permission(pattern)+"/reply", map[string]string{"reply": reply})
}

// permission is the id of the ask for a pattern, or "". Only a server can be asked.
func (w *window) permission(pattern string) string {
	w.t.Helper()
	return w.listed("/permission", func(a asked) bool { return slices.Contains(a.Patterns, pattern) })
}

// awaitPermission waits until OpenCode itself shows that it asks.
func (w *window) awaitPermission(pattern string) {
	w.t.Helper()
	if w.Mode == lab.TUI {
		w.AwaitScreen(permissionDialogue)
		return
	}
	eventually(w.t, "OpenCode lists the ask", func() bool { return w.permission(pattern) != "" })
}

// clearPermission closes the dialogue that a terminal still shows after its turn was
// stopped.
func (w *window) clearPermission() {
	w.t.Helper()
	if w.Mode == lab.TUI {
		w.AwaitScreen(permissionDialogue)
		w.SendKeys("Escape")
	}
}

// read is the content of a file of the project, or the error's text.
func (w *window) read(name string) string {
	raw, err := os.ReadFile(w.path(name))
	return string(raw) + errorText(err)
}
