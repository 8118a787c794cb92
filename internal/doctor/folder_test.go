package doctor

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"

	"hermes/internal/simulate/rig"
	"hermes/opencode/plugin"
)

// edit changes the installed plugin by hand.
func (c *doctorRig) edit(old, new string) {
	c.T.Helper()
	path := c.file("plugin", "hermes.js")
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), old) {
		c.T.Fatalf("%q is not in the plugin, %v", old, err)
	}
	c.write(path, strings.Replace(string(text), old, new, 1))
}

// age installs a plugin as an older hermes would have.
func (c *doctorRig) age() {
	c.T.Helper()
	c.edit(fmt.Sprintf("const HERMES_PLUGIN_VERSION = %q", plugin.Version()), `const HERMES_PLUGIN_VERSION = "0.9.0"`)
	path := c.file("plugin", "hermes.js")
	text, err := os.ReadFile(path)
	if err != nil {
		c.T.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "\n")
	c.write(path, fmt.Sprintf("// hermes plugin 0.9.0 sha256=%x; it is old\n%s", sha256.Sum256([]byte(rest)), rest))
}

func TestDoctor_ReadsTheConfigurationFolder(t *testing.T) {
	for _, test := range []struct {
		title  string
		files  map[string]string
		status grade
		detail string
	}{
		{"nothing", nil, gradeOK, "build, plan may ask"},
		{"an agent", map[string]string{"opencode.json": `{"agent":{"reviewer":{"mode":"primary"}}}`}, gradeWarn, "reviewer may not ask"},
		{"an agent that may", map[string]string{"opencode.json": `{"agent":{"reviewer":{"permission":{"question":"allow"}}}}`}, gradeOK, "build, plan, reviewer may ask"},
		{"all may", map[string]string{"opencode.json": `{"permission":"allow","agent":{"reviewer":{}}}`}, gradeOK, "reviewer may ask"},
		{"nobody may", map[string]string{"opencode.json": `{"permission":{"question":"deny"}}`}, gradeWarn, "build, plan may not ask"},
		{"the last one decides", map[string]string{"opencode.json": `{"permission":{"question":"allow","*":"deny"}}`}, gradeWarn, "build, plan may not ask"},
		{"an old switch", map[string]string{"opencode.json": `{"agent":{"build":{"tools":{"question":false}}}}`}, gradeWarn, "build may not ask"},
		{"disabled", map[string]string{"opencode.json": `{"agent":{"reviewer":{"disable":true}}}`}, gradeOK, "build, plan may ask"},
		{"a native subagent", map[string]string{"opencode.json": `{"agent":{"general":{"model":"x"}}}`}, gradeOK, "build, plan may ask"},
		{"comments", map[string]string{"opencode.jsonc": "{\n// \"no\"\n\"agent\": {\"a//b\": {\"permission\": {\"bash\": {\"*\": \"ask\"}, /* , */ \"question\": \"allow\",},},},\n}"}, gradeOK, "a//b may ask"},
		{"two files", map[string]string{"config.json": `{"agent":{"x":{}}}`, "opencode.json": `{"permission":{"question":"allow"}}`}, gradeOK, "build, plan, x may ask"},
		{"a file", map[string]string{"agent/reviewer.md": "---\nmode: subagent\n---\nquestion: allow"}, gradeWarn, "reviewer may not ask"},
		{"a file that allows", map[string]string{"agents/reviewer.md": "---\nmode: subagent\npermission:\n  question: allow\n---\nText"}, gradeOK, "reviewer may ask"},
		{"a file in a folder", map[string]string{"agent/team/de/reviewer.md": "---\nmode: subagent\n---\n"}, gradeWarn, "team/de/reviewer may not ask"},
		{"a file in a folder that allows", map[string]string{"agents/team/reviewer.md": "---\npermission:\n  question: allow\n---\n", "agents/team/notes.txt": ""}, gradeOK, "build, plan, team/reviewer may ask"},
		{"files of one name", map[string]string{"agent/a/x.md": "---\npermission:\n  question: allow\n---\n", "agent/b/x.md": ""}, gradeWarn, ": b/x may not ask"},
		{"no JSON", map[string]string{"opencode.json": `{"agent":`}, gradeWarn, "opencode.json cannot be read: it is not JSON"},
		{"a shape that nobody knows", map[string]string{"opencode.json": `{"permission":[1]}`}, gradeOK, "build, plan may ask"},
	} {
		t.Run(test.title, func(t *testing.T) {
			c := &doctorRig{Rig: &rig.Rig{T: t}, opts: Options{Plugin: plugin.Options{ConfigDir: t.TempDir()}}}
			for name, text := range test.files {
				c.write(c.file(name), text)
			}
			d := (&openCodeChecks{plugin: c.opts.Plugin}).checkFolder(t.Context())
			if d.Status != test.status || !strings.Contains(d.Detail, test.detail) || (d.Remedy == "") != (test.status == gradeOK) {
				t.Errorf("got %+v", d)
			}
		})
	}
}
