package main

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	fileInText = regexp.MustCompile("`([\\w./*-]+\\.(?:go|js|service))`")
	testInText = regexp.MustCompile(`\bTest[A-Z]\w*`)
	testInCode = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
)

// The files and tests that documents name exist. A name in capitals, as in NAME.go, stands for others.
func TestDocuments_NameWhatExists(t *testing.T) {
	files := listFiles(t)
	tests := listTests(t, files)
	for _, document := range files {
		if !strings.HasSuffix(document, ".md") || strings.Contains(document, "testdata/") {
			continue
		}
		text := readFile(t, document)
		for _, found := range fileInText.FindAllStringSubmatch(text, -1) {
			if name := found[1]; name == strings.ToLower(name) && !slices.ContainsFunc(files, endsIn(name)) {
				t.Errorf("%s names %s, which is not there", document, name)
			}
		}
		for _, name := range testInText.FindAllString(text, -1) {
			if !slices.ContainsFunc(tests, func(one string) bool { return strings.HasPrefix(one, name) }) {
				t.Errorf("%s names %s, which is no test", document, name)
			}
		}
	}
}

// listFiles lists the files of the repository, but for what begins with a dot, and what is built into dist.
func listFiles(t *testing.T) (files []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS("../.."), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name != "." && strings.HasPrefix(d.Name(), ".") || name == "dist"):
			return fs.SkipDir
		case !d.IsDir():
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// listTests lists the tests in files.
func listTests(t *testing.T, files []string) (tests []string) {
	t.Helper()
	for _, name := range files {
		if !strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, found := range testInCode.FindAllStringSubmatch(readFile(t, name), -1) {
			tests = append(tests, found[1])
		}
	}
	return tests
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := fs.ReadFile(os.DirFS("../.."), name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// endsIn reports whether a document means a file by this name: its path, or the end of it, perhaps
// with stars.
func endsIn(name string) func(file string) bool {
	return func(file string) bool {
		parts := strings.Split(file, "/")
		ok, err := path.Match(name, path.Join(parts[max(0, len(parts)-strings.Count(name, "/")-1):]...))
		return ok && err == nil
	}
}
