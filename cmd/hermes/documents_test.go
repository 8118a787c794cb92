package main

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hermes/internal/config"
)

// document is a page in Markdown.
type document struct {
	name     string // its path in the repository
	prose    string // without the blocks of code
	commands []string
}

// documents are the pages of the repository, without test data.
func documents(t *testing.T) (pages []document) {
	t.Helper()
	for _, name := range listFiles(t) {
		if strings.HasSuffix(name, ".md") && !strings.Contains(name, "testdata/") {
			pages = append(pages, parseDocument(name, readFile(t, name)))
		}
	}
	if len(pages) < 10 {
		t.Fatalf("only %d documents were found", len(pages))
	}
	return pages
}

// parseDocument reads a page. Its commands are the lines of the blocks of sh, without the indentation of a list.
func parseDocument(name, text string) document {
	d, inBlock, language := document{name: name}, false, ""
	for line := range strings.Lines(text) {
		of, fence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case fence:
			inBlock, language = !inBlock, of
		case inBlock && language == "sh":
			d.commands = append(d.commands, strings.TrimSpace(line))
		case !inBlock:
			d.prose += line
		}
	}
	return d
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

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := fs.ReadFile(os.DirFS("../.."), name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	pageLink = regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"`)
	heading  = regexp.MustCompile(`(?m)^#+ (.*)$`)
	inAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors are how a link names each heading.
func (d document) anchors() (anchors []string) {
	for _, found := range heading.FindAllStringSubmatch(d.prose, -1) {
		anchors = append(anchors, strings.ReplaceAll(inAnchor.ReplaceAllString(strings.ToLower(found[1]), ""), " ", "-"))
	}
	return anchors
}

// Every link from a page to a file of the repository leads to it, and to a heading of it. What the program says of a page leads to one.
func TestDocuments_LinksLead(t *testing.T) {
	files, anchors, pages := listFiles(t), map[string][]string{}, documents(t)
	for _, d := range pages {
		anchors[d.name] = d.anchors()
	}
	for _, d := range pages {
		for _, found := range pageLink.FindAllStringSubmatch(d.prose, -1) {
			to, anchor, _ := strings.Cut(found[1]+found[2], "#")
			if strings.Contains(to, "://") {
				continue
			}
			target := d.name
			if to != "" {
				target = path.Join(path.Dir(d.name), to)
			}
			if !slices.ContainsFunc(files, func(file string) bool { return file == target || strings.HasPrefix(file, target+"/") }) {
				t.Errorf("%s links to %s, which is not there", d.name, to)
			} else if anchor != "" && !slices.Contains(anchors[target], anchor) {
				t.Errorf("%s links to %s#%s, and there is no such heading", d.name, to, anchor)
			}
		}
	}
	page := regexp.MustCompile(`docs/[\w/-]+\.md`)
	for _, file := range files {
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, name := range page.FindAllString(readFile(t, file), -1) {
			if !slices.Contains(files, name) {
				t.Errorf("%s names %s, which is not there", file, name)
			}
		}
	}
}

// otherVariables are no settings of hermes: tests read the first, the plugin and hermes link run the next
// two, and the last was one.
var otherVariables = []string{"HERMES_TEST_OPENCODE2", "HERMES_URL", "HERMES_TOKEN", "HERMES_API_APPROVALS"}

// Settings that documents name exist, and docs/settings.md has them all, with their defaults.
func TestDocuments_SettingsExist(t *testing.T) {
	known := config.Variables()
	variable := regexp.MustCompile(`\bHERMES_[A-Z0-9_]+\b`)
	for _, file := range listFiles(t) {
		if !strings.HasSuffix(file, ".md") && !strings.HasPrefix(file, "deploy/") {
			continue
		}
		for _, name := range variable.FindAllString(readFile(t, file), -1) {
			_, plain := known[name]
			_, ofFile := known[strings.TrimSuffix(name, "_FILE")]
			if !plain && !ofFile && !slices.Contains(otherVariables, name) {
				t.Errorf("%s names %s, which hermes does not read", file, name)
			}
		}
	}
	table := readFile(t, "docs/settings.md")
	for name, byDefault := range known {
		row := regexp.MustCompile("(?m)^\\|[^|]*`" + name + "`[^|]*\\|([^|]*)\\|").FindStringSubmatch(table)
		if row == nil && !strings.HasSuffix(name, "_FILE") {
			t.Errorf("docs/settings.md has no row for %s", name)
		} else if byDefault != "" && !strings.Contains(row[1], "`"+byDefault+"`") {
			t.Errorf("docs/settings.md says %q of the default of %s, which is %s", row[1], name, byDefault)
		}
	}
}
