package handbook_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/internal/handbook"
)

var update = flag.Bool("update", false, "pack the pages anew, and write the golden files")

// files are the pages as they are in docs. The one on the code is for those who have it.
func files(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d pages, %v", len(paths), err)
	}
	texts := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if name := strings.TrimSuffix(filepath.Base(path), ".md"); name != "architecture" && name != "README" {
			texts[name] = string(text)
		}
	}
	return texts
}

// The program has the pages as they are in docs; -update packs them anew.
func TestPages_AreCurrent(t *testing.T) {
	want := files(t)
	if *update {
		pack(t, want)
		return
	}
	pages := handbook.Pages()
	for _, p := range pages {
		if want[p.Name] != p.Text {
			t.Errorf("%s is not as it is in docs; go test ./internal/handbook -update", p.Name)
		}
		if p.Title == "" {
			t.Errorf("%s has no title", p.Name)
		}
	}
	if len(pages) != len(want) {
		t.Errorf("the program has %d pages, and docs %d; go test ./internal/handbook -update", len(pages), len(want))
	}
	if info, err := os.Stat("pages.json.gz"); err != nil || info.Size() > 80_000 {
		t.Errorf("the pages take more than 80 KB of the binary: %v, %v", info.Size(), err)
	}
}

func pack(t *testing.T, texts map[string]string) {
	t.Helper()
	var small bytes.Buffer
	w, err := gzip.NewWriterLevel(&small, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(json.NewEncoder(w).Encode(texts), w.Close(), os.WriteFile("pages.json.gz", small.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// A page with all that pages have, as a terminal shows it.
func TestRender(t *testing.T) {
	text, err := os.ReadFile("testdata/page.md")
	if err != nil {
		t.Fatal(err)
	}
	p := handbook.Page{Name: "page", Text: string(text)}
	for name, style := range map[string]handbook.Style{"narrow": {Width: 40}, "wide": {Width: 90}, "color": {Width: 60, Color: true}} {
		got, path := p.Render(style), filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil || got != string(want) {
			t.Errorf("%s reads differently now, %v; look at it and run with -update if it is right:\n%s", name, err, got)
		}
	}
}

// Nothing of Markdown is left of any page, and no line of prose is too wide.
func TestRender_EveryPage(t *testing.T) {
	for name, text := range files(t) {
		for line := range strings.Lines(handbook.Page{Name: name, Text: text}.Render(handbook.Style{Width: 72})) {
			line = strings.TrimRight(line, "\n")
			if strings.Contains(line, "](") || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "```") || strings.Contains(line, "|---") {
				t.Errorf("%s shows %q", name, line)
			}
			if n := len([]rune(line)); n > 72 && strings.Contains(strings.TrimSpace(line), " ") && !strings.Contains(text, strings.TrimSpace(line)) { // else it is code, or one word
				t.Errorf("%s has a line of %d characters: %s", name, n, line)
			}
		}
	}
}

func TestSearch(t *testing.T) {
	pages := []handbook.Page{
		{"a", "First", "# First\n\nOne `Word`, and [more](b.md).\n\n## Below\n\n| | |\n|---|---|\n| `key` | what a word is |\n\n```sh\nrun word\n```\n"},
		{"word", "Word", "# Word\n\nNothing but a word.\n"},
	}
	for _, test := range []struct {
		words string
		want  []handbook.Hit
	}{
		{"WORD", []handbook.Hit{{"word", "Word", "Nothing but a word."}, {"a", "First", "One `Word`, and more (page b)."}, {"a", "Below", "`key`: what a word is"}, {"a", "Below", "run word"}}},
		{"below key", []handbook.Hit{{"a", "Below", "`key`: what a word is"}}},
		{"nowhere", nil},
	} {
		got := handbook.Search(pages, strings.Fields(test.words))
		if len(got) != len(test.want) {
			t.Errorf("%s finds %+v, want %+v", test.words, got, test.want)
			continue
		}
		for i := range got {
			if got[i] != test.want[i] {
				t.Errorf("%s finds %+v, want %+v", test.words, got[i], test.want[i])
			}
		}
	}
}
