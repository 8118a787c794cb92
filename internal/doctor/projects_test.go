package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/internal/simulate/rig"
	"hermes/opencode/plugin"
)

// What projects' own files change. The directory is work/shop, and work is the root
// of its git worktree.
func TestDoctor_ReadsProjects(t *testing.T) {
	const allow, deny = `{"permission":{"question":"allow"}}`, `{"permission":{"question":"deny"}}`
	for _, test := range []struct {
		title  string
		folder string // opencode.json of the configuration folder
		files  map[string]string
		want   string // with %s for the directory
	}{
		{"none", deny, nil, ""},
		{"a file of the project", "", map[string]string{"work/shop/opencode.json": deny}, "warn %s: build, plan may not ask"},
		{"one with comments", "", map[string]string{"work/shop/opencode.jsonc": "// no\n" + deny}, "warn %s: build, plan may not ask"},
		{"the project allows", deny, map[string]string{"work/shop/opencode.json": allow}, "ok %s: build, plan may ask"},
		{"an agent of the folder", `{"agent":{"x":{}}}`, map[string]string{"work/shop/opencode.json": allow}, "ok %s: build, plan, x may ask"},
		{"a file of the worktree", "", map[string]string{"work/opencode.json": deny}, "warn %s: build, plan may not ask"},
		{"the nearer file decides", "", map[string]string{"work/opencode.json": deny, "work/shop/opencode.json": allow}, "ok %s: build, plan may ask"},
		{"json after jsonc", "", map[string]string{"work/shop/opencode.jsonc": deny, "work/opencode.json": allow}, "ok %s: build, plan may ask"},
		{"a file above the worktree", "", map[string]string{"opencode.json": deny}, ""},
		{"a file beside it", "", map[string]string{"work/other/opencode.json": deny}, ""},
		{"a folder of the project", "", map[string]string{"work/shop/opencode.json": deny, "work/.opencode/opencode.json": allow}, "ok %s: build, plan may ask"},
		{"an agent of the project", "", map[string]string{"work/.opencode/agent/team/x.md": "---\nmode: all\n---\n"}, "warn %s: team/x may not ask"},
		{"no JSON", "", map[string]string{"work/shop/opencode.json": "{"}, "warn %s/opencode.json cannot be read: it is not JSON of the expected form"},
		{"no JSON in the folder", "{", map[string]string{"work/shop/opencode.json": deny}, ""},
	} {
		t.Run(test.title, func(t *testing.T) {
			root := t.TempDir()
			c := &doctorRig{Rig: &rig.Rig{T: t}, opts: Options{Plugin: plugin.Options{ConfigDir: t.TempDir()}}}
			if test.folder != "" {
				c.write(c.file("opencode.json"), test.folder)
			}
			c.write(filepath.Join(root, "work", ".git", "HEAD"), "")
			for name, text := range test.files {
				c.write(filepath.Join(root, name), text)
			}
			directory := filepath.Join(root, "work", "shop")
			d := &openCodeChecks{plugin: c.opts.Plugin, here: directory, hermes: &hermesProbe{status: func() statusReply { return statusReply{} }}}
			var got []string
			for _, one := range d.checkProjects(t.Context()) {
				if (one.Remedy == "") != (one.Status == gradeOK) {
					t.Errorf("%+v has a remedy, or has none, where it should not", one)
				}
				got = append(got, string(one.Status)+" "+one.Detail)
			}
			if want := strings.ReplaceAll(test.want, "%s", directory); strings.Join(got, "\n") != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// The directories of this machine's links are looked at, each once.
func TestDoctor_ReadsTheProjectsOfLinks(t *testing.T) {
	playDoctor(t, false, func(c *doctorRig) {
		host, err := os.Hostname()
		if err != nil {
			t.Fatal(err)
		}
		mine, other := t.TempDir(), t.TempDir()
		for _, directory := range []string{mine, other} {
			c.write(filepath.Join(directory, ".git", "HEAD"), "")
			c.write(filepath.Join(directory, "opencode.json"), `{"permission":{"question":"deny"}}`)
		}
		c.here = mine
		c.linkUp(mine, host, 1)
		c.linkUp(other, "elsewhere", 1)
		var found []string
		for _, d := range c.examine() {
			if d.Name == "question tool" && d.Status == gradeWarn {
				found = append(found, d.Detail)
			}
		}
		if want := fmt.Sprintf("%s: build, plan may not ask", mine); len(found) != 1 || found[0] != want {
			t.Errorf("found %q, want %q", found, want)
		}
	})
}
