package main

import (
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// built is the site of this repository, in a folder, and the files in it by their paths.
func built(t *testing.T) (folder string, files map[string]string) {
	t.Helper()
	s, err := read(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	if err := s.write(folder); err != nil {
		t.Fatal(err)
	}
	files = map[string]string{}
	err = filepath.WalkDir(folder, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		short, _ := filepath.Rel(folder, name)
		files[filepath.ToSlash(short)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return folder, files
}

var (
	attribute = regexp.MustCompile(`<(\w+)[^>]*? (href|src|srcset)="([^"]*)"`)
	ids       = regexp.MustCompile(`\bid="([^"]+)"`)
)

// Every link leads to a file of the site and an anchor in it, and nothing but links that people follow leads elsewhere.
func TestSite_LinksLead(t *testing.T) {
	_, files := built(t)
	links, anchorsSeen := 0, 0
	for name, text := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, found := range attribute.FindAllStringSubmatch(text, -1) {
			tag, to := found[1], strings.ReplaceAll(found[3], "&amp;", "&")
			if strings.Contains(to, "://") || strings.HasPrefix(to, "data:") || strings.HasPrefix(to, "mailto:") {
				if tag != "a" && to != "data:," {
					t.Errorf("%s asks %s of somebody else", name, to)
				}
				continue
			}
			links++
			file, anchor, _ := strings.Cut(to, "#")
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			there, ok := files[target]
			if !ok {
				t.Errorf("%s leads to %s, which is not there", name, to)
				continue
			}
			if anchor, _ = url.PathUnescape(anchor); anchor != "" {
				anchorsSeen++
				if !slices.ContainsFunc(ids.FindAllStringSubmatch(there, -1), func(id []string) bool { return id[1] == anchor }) {
					t.Errorf("%s leads to %s, and %s has no such anchor", name, to, target)
				}
			}
		}
	}
	if links < 1000 || anchorsSeen < 50 {
		t.Errorf("only %d links and %d anchors were looked at", links, anchorsSeen)
	}
}

// From the first page every page is reached by what the pages say, without the navigation; and the navigation has each.
func TestSite_EveryPageIsReached(t *testing.T) {
	_, files := built(t)
	seen, todo := map[string]bool{}, []string{"index.html"}
	for len(todo) > 0 {
		name := todo[0]
		todo = todo[1:]
		if seen[name] || !strings.HasSuffix(name, ".html") {
			continue
		}
		seen[name] = true
		_, main, _ := strings.Cut(files[name], "<main")
		for _, found := range attribute.FindAllStringSubmatch(main, -1) {
			file, _, _ := strings.Cut(found[3], "#")
			if file != "" && !strings.Contains(file, "://") {
				todo = append(todo, path.Join(path.Dir(name), file))
			}
		}
	}
	navigation, _, _ := strings.Cut(files["index.html"], "<main")
	for name := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		if !seen[name] && !strings.HasPrefix(name, "docs/design/") { // those stand in the navigation
			t.Errorf("no page leads to %s", name)
		}
		if !strings.Contains(navigation, `href="`+name+`"`) {
			t.Errorf("the navigation lacks %s", name)
		}
	}
}

// The search finds each page by its title, and by the last words of each of its parts; and nothing for what is nowhere.
func TestSite_SearchFinds(t *testing.T) {
	folder, files := built(t)
	script := `const vm = require("vm"), fs = require("fs"), c = vm.createContext({});
for (const f of ["search-index.js", "search.js"]) vm.runInContext(fs.readFileSync(f, "utf8"), c);
const missed = [];
for (const e of vm.runInContext("searchIndex", c)) {
  const words = e.text.split(/\s+/).slice(-4).join(" ");
  for (const text of [e.page, e.heading, words]) {
    c.asked = text;
    const pages = vm.runInContext("find(searchIndex, asked)", c).map((h) => h.address.replace(/#.*/, ""));
    if (text && !pages.includes(e.address.replace(/#.*/, ""))) missed.push(e.address + ": " + text);
  }
}
const first = (text) => { c.asked = text; const h = vm.runInContext("find(searchIndex, asked)", c)[0]; return h ? h.address : ""; };
console.log(JSON.stringify({ missed, first: { "whose machine": first("whose machine"), "EXIT codes": first("EXIT codes"), "xyzzynowhere": first("xyzzynowhere") }, pages: [...new Set(vm.runInContext("searchIndex", c).map((e) => e.address.replace(/#.*/, "")))] }));`
	cmd := exec.Command("node", "-e", script)
	cmd.Dir = folder
	out, err := cmd.Output()
	var said struct {
		Missed, Pages []string
		First         map[string]string
	}
	if err != nil || json.Unmarshal(out, &said) != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, m := range said.Missed {
		t.Errorf("not found: %s", m)
	}
	for name := range files {
		if strings.HasSuffix(name, ".html") && !slices.Contains(said.Pages, name) {
			t.Errorf("the search does not know %s", name)
		}
	}
	want := map[string]string{"whose machine": "docs/rules.html#whose-machine-it-is", "EXIT codes": "docs/terminal.html#exit-codes", "xyzzynowhere": ""}
	for words, address := range want {
		if got := said.First[words]; got != address && (address == "" || !strings.HasPrefix(got, address)) {
			t.Errorf("%q finds %q first, want %q", words, got, address)
		}
	}
}

func TestAnchors(t *testing.T) {
	a := anchors{}
	for _, c := range [][2]string{{"Whose machine it is", "whose-machine-it-is"}, {"What's `new`?", "whats-new"}, {"试一试", "试一试"}, {"试一试", "试一试-1"}} {
		if got := string(a.Generate([]byte(c[0]), 0)); got != c[1] {
			t.Errorf("%s: got %s, want %s", c[0], got, c[1])
		}
	}
}
