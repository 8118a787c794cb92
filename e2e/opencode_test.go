//go:build e2e

package e2e_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hermes/e2e/lab"
	"hermes/internal/simulate/opencodesim/model"
)

// password protects every OpenCode of these tests.
const password = "e2e-canary"

// window is one OpenCode that a person works in.
type window struct {
	*lab.Instance
	t       testing.TB
	abort   string // a file: abortPlugin stops the session when it comes to be
	session string // the last one that was asked in; empty in a TUI
}

// abortPlugin stops the turn of a question with the header "Stop me", or of a
// permission ask that begins with "touch stop-me", when the file $ABORT exists. In a
// terminal no key does that: Escape dismisses the question or the ask.
const abortPlugin = `import { existsSync } from "node:fs"
export const Abort = async ({ client, directory }) => {
  const password = process.env.OPENCODE_SERVER_PASSWORD
  const headers = { Authorization: "Basic " + Buffer.from("opencode:" + password).toString("base64") }
  const look = (sessionID) => {
    if (!existsSync(process.env.ABORT)) return setTimeout(() => look(sessionID), 50)
    client._client.post({ url: "/session/" + sessionID + "/abort", query: { directory }, headers })
  }
  return {
    event: async ({ event }) => {
      if (event.type === "question.asked" && event.properties.questions[0].header === "Stop me") look(event.properties.sessionID)
      if (event.type === "permission.asked" && event.properties.patterns[0].startsWith("touch stop-me")) look(event.properties.sessionID)
    },
  }
}
`

// otherPlugin is a plugin as people have them: it asks OpenCode something when it is loaded.
// From 1.14.48 to 1.17.0 that loads all plugins a second time (docs/design/proof.md).
const otherPlugin = `export const Other = async ({ client, directory }) => {
  const password = process.env.OPENCODE_SERVER_PASSWORD
  const headers = { Authorization: "Basic " + Buffer.from("opencode:" + password).toString("base64") }
  setTimeout(() => client._client.get({ url: "/session", query: { directory }, headers }).catch(() => {}), 0)
  return {}
}
`

// openWindow starts an OpenCode in a project of that name. The plugin is there
// from the start when the way needs it.
func openWindow(t testing.TB, e entry, project string, h reached) *window {
	t.Helper()
	files := map[string]string{}
	if e.way != direct {
		readPlugin(t, files, func(dir string) { h.installPlugin(t, dir) })
	}
	return openWindowWith(t, e, project, files)
}

// openWindowWith starts an OpenCode with these files in its configuration folder, and with more in its environment.
func openWindowWith(t testing.TB, e entry, project string, files map[string]string, env ...string) *window {
	t.Helper()
	signals := t.TempDir()
	win := &window{t: t, abort: filepath.Join(signals, "abort")}
	mode := lab.Serve
	if e.way == linkedTUI {
		mode = lab.TUI
		files["plugin/abort.js"] = abortPlugin
	}
	if e.way == linkedServe {
		files["plugin/other.js"] = otherPlugin
	}
	win.Instance = lab.Start(t, e.version, mode, lab.Options{
		Dir: newProject(t, project), Password: password, Files: files, Env: append(env, "ABORT="+win.abort),
		Config: func(config map[string]any) { lab.AskForAll(config); letSee(config); letPatch(config) },
	})
	if e.way == linkedServe {
		win.wake()
	}
	return win
}

// wake has a server load its plugins: it does when a directory is first asked about.
func (w *window) wake() {
	w.t.Helper()
	if status, raw := w.Call(http.MethodGet, "/config", nil); status != http.StatusOK {
		w.t.Fatalf("GET /config: %d %s", status, raw)
	}
}

// readPlugin has the plugin installed somewhere and reads what was written.
func readPlugin(t testing.TB, files map[string]string, install func(configDir string)) {
	t.Helper()
	dir := t.TempDir()
	install(dir)
	readPluginFiles(t, dir, files)
}

// readPluginFiles reads the plugin that is installed in a folder.
func readPluginFiles(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for _, name := range []string{"plugin/hermes.js", "plugin/hermes.json"} {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(raw)
	}
}

// newProject is a git repository in a folder of that name.
func newProject(t testing.TB, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.Rename(lab.NewProject(t), dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// ask gives the model a prompt in its script language: in a TUI in the session on
// the screen, else in a new session with that title.
func (w *window) ask(title, script string) {
	w.t.Helper()
	if w.Mode == lab.TUI {
		w.awaitPrompt()
	} else {
		w.session = w.NewSession(title)
	}
	w.Prompt(w.session, script)
}

// goOn gives the session that was asked in last one more prompt, and waits until
// it is answered: by then the model was told everything that came before.
func (w *window) goOn(say string) {
	w.t.Helper()
	if w.Mode == lab.TUI {
		w.awaitPrompt()
	} else {
		w.awaitIdle() // a prompt to a turn that is about to end is not answered
	}
	said := func(rs []model.Request) bool {
		return slices.ContainsFunc(rs, func(r model.Request) bool {
			return len(r.Messages) > 0 && r.Messages[len(r.Messages)-1].Text == say
		})
	}
	w.Prompt(w.session, say)
	for tries := 0; w.Mode == lab.TUI && tries < 3 && !w.gets(said); tries++ {
		w.awaitPrompt() // the end of the turn before has interrupted it (1.1.53, when a leaked ask is settled)
		w.Prompt(w.session, say)
	}
	w.awaitModel("the prompt "+say, said)
	if w.Mode == lab.TUI {
		w.AwaitScreen("You said: " + say) // and with it that the turn goes on, until it has ended
	}
}

// gets reports whether the model gets something soon.
func (w *window) gets(cond func([]model.Request) bool) bool {
	ctx, cancel := context.WithTimeout(w.t.Context(), patience/4)
	defer cancel()
	return w.Model.Await(ctx, cond) == nil
}

// awaitPrompt waits until the terminal takes a prompt.
func (w *window) awaitPrompt() {
	w.t.Helper()
	eventually(w.t, "the terminal takes a prompt", func() bool {
		s := w.Screen()
		return !showsDialogue(s) && !strings.Contains(s, "esc interrupt")
	})
}

// awaitIdle waits until the server runs no turn in the project.
func (w *window) awaitIdle() {
	w.t.Helper()
	eventually(w.t, "the session is idle", func() bool {
		_, raw := w.Call(http.MethodGet, "/session/status", nil)
		return !strings.Contains(string(raw), w.session)
	})
}

// title is what a session of that title is called here: a terminal's session is
// named by the model.
func (w *window) title(given string) string {
	if w.Mode == lab.TUI {
		return model.Title
	}
	return given
}

// stop aborts the turn that asks a question with the header "Stop me".
func (w *window) stop() {
	w.t.Helper()
	if w.Mode == lab.Serve {
		w.Call(http.MethodPost, "/session/"+w.session+"/abort", nil)
		return
	}
	if err := os.WriteFile(w.abort, nil, 0o600); err != nil {
		w.t.Fatal(err)
	}
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

// read is the content of a file of the project, or the error's text.
func (w *window) read(name string) string {
	raw, err := os.ReadFile(w.path(name))
	return string(raw) + errorText(err)
}

// letSee is an lab.Options.Config for which the model takes pictures.
func letSee(config map[string]any) {
	models := config["provider"].(map[string]any)["scripted"].(map[string]any)["models"].(map[string]any)
	scripted := models["scripted"].(map[string]any)
	scripted["attachment"] = true
	scripted["modalities"] = map[string]any{"input": []string{"text", "image"}, "output": []string{"text"}}
}

// patcher is a subagent with a model that OpenCode gives the tool apply_patch in place of edit and write, as it does by the
// model's name (gpt-5).
const patcher = "patcher"

// letPatch is an lab.Options.Config with which there is a patcher.
func letPatch(config map[string]any) {
	models := config["provider"].(map[string]any)["scripted"].(map[string]any)["models"].(map[string]any)
	models["gpt-5"] = models["second"]
	config["agent"].(map[string]any)[patcher] = map[string]any{
		"mode": "subagent", "description": "patches", "prompt": "You patch.", "model": "scripted/gpt-5",
	}
}
