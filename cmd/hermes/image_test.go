package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// The image is built of what .dockerignore lets in: that must be all that the program is
// built of.
func TestImage_HasEverythingThatHermesIsBuiltOf(t *testing.T) {
	ignore, err := os.ReadFile("../../.dockerignore")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(builtOf(t), "go.mod", "go.sum") {
		if ignored(t, string(ignore), name) {
			t.Errorf(".dockerignore leaves out %s", name)
		}
	}
	for _, name := range []string{".git/config", "hermes.env", "state/hermes.db", "e2e/e2e_test.go", "pending/testdata/v1.txt", "cmd/hermes/main_test.go"} {
		if !ignored(t, string(ignore), name) {
			t.Errorf(".dockerignore lets in %s", name)
		}
	}
}

// builtOf are the files of this module that the program is made of, from its root.
func builtOf(t *testing.T) (files []string) {
	t.Helper()
	list := exec.Command("go", "list", "-deps", "-json=Dir,Module,GoFiles,EmbedFiles", ".")
	list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			Dir                 string
			Module              *struct{ Path, Dir string }
			GoFiles, EmbedFiles []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if p.Module == nil || p.Module.Path != modulePath(t) {
			continue
		}
		dir, err := filepath.Rel(p.Module.Dir, p.Dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range append(p.GoFiles, p.EmbedFiles...) {
			files = append(files, path.Join(filepath.ToSlash(dir), name))
		}
	}
	if len(files) < 100 {
		t.Fatalf("hermes is said to be built of %d files", len(files))
	}
	return files
}

// ignored reads the file as Docker does, as far as its lines are of the forms that are in
// use: a name at the root, * for all there, ** and a name at any depth, and ! before it to
// let in. The last line that fits counts.
func ignored(t *testing.T, ignore, name string) (out bool) {
	t.Helper()
	for line := range strings.Lines(ignore) {
		pattern := strings.TrimSpace(line)
		if pattern == "" || strings.HasPrefix(pattern, "#") {
			continue
		}
		pattern, in := strings.CutPrefix(pattern, "!")
		parts := strings.Split(name, "/")
		if deep, ok := strings.CutPrefix(pattern, "**/"); ok {
			pattern = deep
		} else {
			parts = parts[:1]
		}
		if strings.Contains(pattern, "/") {
			t.Fatalf("this test does not understand %s", line)
		}
		for _, part := range parts {
			fits, err := path.Match(pattern, part)
			if err != nil {
				t.Fatal(err)
			}
			if fits {
				out = !in
			}
		}
	}
	return out
}
