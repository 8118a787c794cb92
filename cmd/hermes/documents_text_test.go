package main

import (
	"encoding/json"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// document is a page in Markdown, with its blocks of code apart from its prose.
type document struct {
	name   string // its path in the repository
	prose  string
	blocks []codeBlock
}

// codeBlock is a fenced block; its lines are without the indentation of a list.
type codeBlock struct {
	language string
	lines    []string
}

// documents are the pages of the repository, without test data.
func documents(t *testing.T) (pages []document) {
	t.Helper()
	for _, name := range listFiles(t) {
		if strings.HasSuffix(name, ".md") && !strings.Contains(name, "testdata/") {
			pages = append(pages, parseDocument(t, name, readFile(t, name)))
		}
	}
	if len(pages) < 20 {
		t.Fatalf("only %d documents were found", len(pages))
	}
	return pages
}

func parseDocument(t *testing.T, name, text string) document {
	t.Helper()
	d := document{name: name}
	var open *codeBlock
	for line := range strings.Lines(text) {
		language, fence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case fence && open == nil:
			d.blocks = append(d.blocks, codeBlock{language: language})
			open = &d.blocks[len(d.blocks)-1]
		case fence:
			open = nil
		case open != nil:
			open.lines = append(open.lines, strings.TrimSpace(line))
		default:
			d.prose += line
		}
	}
	if open != nil {
		t.Errorf("%s: a block of code is not closed", name)
	}
	return d
}

var (
	codeSpan = regexp.MustCompile("`([^`\n]+)`")
	pageLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	tagLink  = regexp.MustCompile(`(?:src|srcset|href)="([^"]+)"`)
	heading  = regexp.MustCompile(`(?m)^#+ (.*)$`)
	inAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// spans are what stands between backquotes in the prose.
func (d document) spans() (spans []string) {
	for _, found := range codeSpan.FindAllStringSubmatch(d.prose, -1) {
		spans = append(spans, found[1])
	}
	return spans
}

// headings are the headings in their order, and anchors how a link names each.
func (d document) headings() (titles []string) {
	for _, found := range heading.FindAllStringSubmatch(d.prose, -1) {
		titles = append(titles, found[1])
	}
	return titles
}

func (d document) anchors() (anchors []string) {
	for _, title := range d.headings() {
		anchors = append(anchors, strings.ReplaceAll(inAnchor.ReplaceAllString(strings.ToLower(title), ""), " ", "-"))
	}
	return anchors
}

// Every link from a page to a file of the repository leads to it, and to a heading of it.
func TestDocuments_LinksLead(t *testing.T) {
	files, anchors := listFiles(t), map[string][]string{}
	pages := documents(t)
	for _, d := range pages {
		anchors[d.name] = d.anchors()
	}
	count := 0
	for _, d := range pages {
		for _, found := range append(pageLink.FindAllStringSubmatch(d.prose, -1), tagLink.FindAllStringSubmatch(d.prose, -1)...) {
			to, anchor, _ := strings.Cut(found[1], "#")
			if strings.Contains(to, "://") {
				continue
			}
			count++
			target := d.name
			if to != "" {
				target = path.Join(path.Dir(d.name), to)
			}
			if !slices.ContainsFunc(files, func(file string) bool { return file == target || strings.HasPrefix(file, target+"/") }) {
				t.Errorf("%s links to %s, which is not there", d.name, found[1])
			} else if anchor != "" && !slices.Contains(anchors[target], anchor) {
				t.Errorf("%s links to %s, and %s has no such heading", d.name, found[1], target)
			}
		}
	}
	if count < 100 {
		t.Errorf("only %d links were looked at", count)
	}
}

// The index leads to every page in docs but those on decisions, which have a folder of their own.
func TestDocuments_IndexIsWhole(t *testing.T) {
	index := readFile(t, "docs/README.md")
	for _, d := range documents(t) {
		if name := path.Base(d.name); path.Dir(d.name) == "docs" && name != "README.md" && !strings.Contains(index, "]("+name+")") {
			t.Errorf("docs/README.md does not link to %s", name)
		}
	}
}

// What the program says of a page leads to one.
func TestDocuments_ProgramNamesPages(t *testing.T) {
	files, page, count := listFiles(t), regexp.MustCompile(`docs/[\w/-]+\.md`), 0
	for _, file := range files {
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, name := range page.FindAllString(readFile(t, file), -1) {
			if count++; !slices.Contains(files, name) {
				t.Errorf("%s names %s, which is not there", file, name)
			}
		}
	}
	if count < 5 {
		t.Errorf("only %d names of pages were looked at", count)
	}
}

// JSON in documents can be read, one value or several. (TOML of rules is read in internal/policy.)
func TestDocuments_JSONParses(t *testing.T) {
	count := 0
	for _, d := range documents(t) {
		for _, block := range d.blocks {
			if block.language != "json" {
				continue
			}
			text := strings.Join(block.lines, "\n")
			if err := parseJSON(text); err != nil {
				t.Errorf("%s: %v in\n%s", d.name, err, text)
			}
			count++
		}
	}
	if count < 7 {
		t.Errorf("only %d blocks of data were looked at", count)
	}
}

func parseJSON(text string) error {
	for values := json.NewDecoder(strings.NewReader(text)); ; {
		var value any
		if err := values.Decode(&value); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
