package plugin_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// linkedProject is a project, by a directory that is a link to it, with files that are elsewhere than their names say.
func linkedProject(t *testing.T) (directory, outside string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	directory, outside = filepath.Join(base, "by-link"), filepath.Join(base, "outside")
	for _, folder := range []string{"project/.git/hooks", "project/docs", "outside"} {
		if err := os.MkdirAll(filepath.Join(base, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{
		"by-link": "project", "project/lib": outside,
		"project/docs/readme.md": "../.git/hooks/pre-commit", // which does not exist yet: a write makes it
		"project/docs/a":         "b", "project/docs/b": "a",
	} {
		if err := os.Symlink(target, filepath.Join(base, name)); err != nil {
			t.Fatal(err)
		}
	}
	return directory, outside
}

// An ask to edit says which of its files are elsewhere than their names say, in events and in lists, and what comes after it
// is told after it.
func TestFileLinks(t *testing.T) {
	directory, outside := linkedProject(t)
	h := startHermes(t)
	a := startAgent(t, h.URL, "DIRECTORY="+directory)
	in := func(name string) string { return filepath.Join(directory, name) }
	edit := func(metadata map[string]any, patterns ...string) map[string]any {
		return map[string]any{"id": "per_1", "sessionID": "ses_1", "permission": "edit", "patterns": patterns, "metadata": metadata}
	}
	readme := edit(map[string]any{"filepath": in("docs/readme.md"), "diff": "+x"}, "docs/readme.md")
	a.do("list", "/permission", []any{readme, nil})
	a.do("init")
	hello := receive(t, h.opened).Hello()
	var listed []struct{ Links map[string]string }
	if err := json.Unmarshal(hello.Permissions, &listed); err != nil || len(listed) != 2 || listed[0].Links["docs/readme.md"] != ".git/hooks/pre-commit" {
		t.Errorf("the list has %s %v", hello.Permissions, err)
	}
	for name, c := range map[string]struct {
		kind string
		ask  map[string]any
		want map[string]string
	}{
		"a link":        {"permission.asked", readme, map[string]string{"docs/readme.md": ".git/hooks/pre-commit"}},
		"under /api":    {"permission.v2.asked", map[string]any{"id": "per_1", "action": "edit", "resources": []string{"docs/readme.md"}}, map[string]string{"docs/readme.md": ".git/hooks/pre-commit"}},
		"a plain file":  {"permission.asked", edit(map[string]any{"filepath": in("docs/new/x.md")}, "docs/new/x.md"), nil},
		"a command":     {"permission.asked", map[string]any{"id": "per_1", "permission": "bash", "patterns": []string{"docs/readme.md"}}, nil},
		"a circle":      {"permission.asked", edit(map[string]any{"filepath": in("docs/a")}, "docs/a"), map[string]string{"docs/a": "?"}},
		"without paths": {"permission.asked", map[string]any{"id": "per_1", "permission": "edit", "patterns": []any{1, nil}, "metadata": "x"}, nil},
		"moved below a linked folder": {"permission.asked", edit(map[string]any{"files": []any{
			map[string]any{"filePath": in("x"), "movePath": in("lib/y"), "type": "move"}, nil,
		}}, "x"), map[string]string{"lib/y": filepath.Join(outside, "y")}},
	} {
		a.event(c.kind, c.ask)
		a.event("permission.replied", map[string]any{"sessionID": "ses_1", "requestID": "per_1"})
		var asked, replied struct {
			Type       string
			Properties struct{ Links map[string]string }
		}
		first, second := receive(t, h.events), receive(t, h.events)
		if err := json.Unmarshal([]byte(first), &asked); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(second), &replied); err != nil {
			t.Fatal(err)
		}
		if asked.Type != c.kind || replied.Type != "permission.replied" || !reflect.DeepEqual(asked.Properties.Links, c.want) {
			t.Errorf("%s: %s, then %s; want %v", name, first, second, c.want)
		}
	}
	a.exits()
}
