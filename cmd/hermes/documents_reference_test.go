package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"hermes/internal/api"
	"hermes/internal/config"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/telegram/words"
)

// table is one of a page: the cells of its rows, below the heading that it stands under.
func table(t *testing.T, page, under string, column int) (cells []string) {
	t.Helper()
	_, text, found := strings.Cut(readFile(t, page), "\n"+under+"\n")
	if under == "" {
		text, found = readFile(t, page), true
	}
	if !found {
		t.Fatalf("%s has no %q", page, under)
	}
	for line := range strings.Lines(text) {
		row := strings.Split(strings.ReplaceAll(line, `\|`, "¦"), "|")
		switch {
		case strings.HasPrefix(line, "#") && under != "", len(cells) > 0 && len(row) < 3:
			return cells
		case len(row) > column+1 && !strings.HasPrefix(line, "|--"):
			cells = append(cells, strings.TrimSpace(row[column+1]))
		}
	}
	return cells
}

// quoted is what stands between backquotes in cells, in order.
func quoted(cells []string) (names []string) {
	for _, c := range cells {
		for _, found := range codeSpan.FindAllStringSubmatch(c, -1) {
			names = append(names, found[1])
		}
	}
	return names
}

// wantSame holds what a page has to what the program has, in both directions.
func wantSame(t *testing.T, page string, there, want []string) {
	t.Helper()
	for _, name := range want {
		if !slices.Contains(there, name) {
			t.Errorf("%s lacks %s", page, name)
		}
	}
	for i, name := range there {
		if !slices.Contains(want, name) {
			t.Errorf("%s has %s, which the program has not", page, name)
		}
		if slices.Contains(there[:i], name) {
			t.Errorf("%s has %s twice", page, name)
		}
	}
	if len(want) == 0 {
		t.Errorf("nothing was looked for in %s", page)
	}
}

func texts[T ~string](of []T) (list []string) {
	for _, x := range of {
		list = append(list, string(x))
	}
	return list
}

// jsonNames are the fields of wire types as JSON has them.
func jsonNames(types ...reflect.Type) (names []string) {
	for _, wire := range types {
		for i := range wire.NumField() {
			name, _, _ := strings.Cut(wire.Field(i).Tag.Get("json"), ",")
			if name != "-" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// docs/audit.md has the kinds and fields of entries, and those who act: all there are, and no others. Kinds are sorted.
func TestReference_Journal(t *testing.T) {
	const page = "docs/audit.md"
	kinds := quoted(table(t, page, "## Kinds", 0))
	wantSame(t, page, kinds, texts(storage.EntryKinds()))
	if !slices.IsSorted(kinds) {
		t.Errorf("the kinds in %s are not sorted", page)
	}
	wantSame(t, page, quoted(table(t, page, "", 0)), jsonNames(reflect.TypeFor[api.Entry]()))
	by, _, _ := strings.Cut(table(t, page, "", 1)[slices.Index(table(t, page, "", 0), "`by`, `user`, `name`, `chat`")], ";")
	wantSame(t, page, quoted([]string{by}), texts(question.ActorKinds()))
}

// docs/http.md has the methods and paths of the interface: all there are, and no others. Those of the plugin are in one row.
func TestReference_Paths(t *testing.T) {
	var document struct{ Paths map[string]map[string]any }
	if err := json.Unmarshal(api.OpenAPI(), &document); err != nil {
		t.Fatal(err)
	}
	var want []string
	for path, methods := range document.Paths {
		if path == "/v1/link" || strings.HasPrefix(path, "/v1/link/") {
			continue
		}
		for method := range methods {
			want = append(want, strings.ToUpper(method)+" "+path)
		}
	}
	const page = "docs/http.md"
	var there []string
	for _, cell := range table(t, page, "", 0) {
		var methods []string // that are written before a path they share, as in `GET`, `DELETE /v1/ask/{id}`
		for _, span := range quoted([]string{cell}) {
			method, path, both := strings.Cut(span, " ")
			switch {
			case both:
				methods = append(methods, method)
				for _, m := range methods {
					there = append(there, m+" "+path)
				}
				methods = nil
			case !strings.HasPrefix(span, "/"):
				methods = append(methods, span)
			}
		}
	}
	wantSame(t, page, there, want)
}

// docs/http.md has the fields of a question: all there are, and no others.
func TestReference_Question(t *testing.T) {
	const page = "docs/http.md"
	there := quoted(fieldTable(t, page, "A question is an object of:"))
	wantSame(t, page, there, jsonNames(reflect.TypeFor[api.Question]()))
}

// fieldTable is the first column of the table after a sentence.
func fieldTable(t *testing.T, page, after string) []string {
	t.Helper()
	_, text, found := strings.Cut(readFile(t, page), "\n"+after+"\n")
	if !found {
		t.Fatalf("%s does not say %q", page, after)
	}
	var cells []string
	for line := range strings.Lines(strings.TrimLeft(text, "\n")) {
		row := strings.Split(line, "|")
		if len(row) < 3 {
			return cells
		}
		cells = append(cells, row[1])
	}
	return cells
}

// docs/terminal.md has the exit codes: all there are, and no others.
func TestReference_ExitCodes(t *testing.T) {
	var there []string
	for _, cell := range table(t, "docs/terminal.md", "## Exit codes", 0) {
		for code := range strings.SplitSeq(cell, ", ") {
			if code != "code" {
				there = append(there, code)
			}
		}
	}
	wantSame(t, "docs/terminal.md", there, append(exitConstants(t), "0"))
}

// exitConstants are the values of the constants whose names begin with exit.
func exitConstants(t *testing.T) (values []string) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 1 && strings.HasPrefix(spec.Names[0].Name, "exit") {
				if value, ok := spec.Values[0].(*ast.BasicLit); ok && value.Kind == token.INT {
					values = append(values, value.Value)
				}
			}
			return true
		})
	}
	return values
}

// Commands of the chat that documents name are in its menu, and the page on driving, or another one, has each of the menu.
func TestReference_ChatCommands(t *testing.T) {
	menu := words.For("en").Menu
	var there []string
	for _, cell := range table(t, "docs/driving.md", "", 0) {
		for _, span := range quoted([]string{cell}) {
			if name := chatCommand.FindString(span); name != "" && !slices.Contains(there, name[1:]) {
				there = append(there, name[1:])
			}
		}
	}
	elsewhere := []string{"start", "help", "link"}
	wantSame(t, "docs/driving.md", append(there, elsewhere...), slices.Collect(maps.Keys(menu)))
	for _, name := range elsewhere {
		if !slices.ContainsFunc(documents(t), func(d document) bool { return strings.Contains(d.prose, "`/"+name+"`") }) {
			t.Errorf("no document names /%s", name)
		}
	}
	for _, d := range documents(t) {
		for _, span := range d.spans() {
			if name := chatCommand.FindString(span); name == span && menu[name[1:]] == "" && !slices.Contains(foreignSlashes(), span) && d.name != "CHANGELOG.md" {
				t.Errorf("%s names %s, which is no command of the chat", d.name, span)
			}
		}
	}
}

var chatCommand = regexp.MustCompile(`^/[a-z]+\b`)

// foreignSlashes are commands of BotFather, paths of the interfaces of hermes and OpenCode, and folders.
func foreignSlashes() []string {
	return []string{"/newbot", "/setjoingroups", "/revoke", "/deletebot", "/healthz", "/readyz", "/metrics", "/question", "/permission", "/api", "/proc", "/tmp"}
}

// Reactions that docs/driving.md names are those that hermes gives.
func TestReference_Reactions(t *testing.T) {
	text, err := os.ReadFile("../../internal/sessions/acknowledge.go")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`reaction\w+ *= "([^"]+)"`).FindAllStringSubmatch(string(text), -1)
	if len(found) < 2 {
		t.Fatalf("only %d reactions are known", len(found))
	}
	_, page, _ := strings.Cut(readFile(t, "docs/driving.md"), "Under your message,")
	page, _, _ = strings.Cut(page, "Questions come first")
	for _, f := range found {
		if !strings.Contains(page, f[1]) {
			t.Errorf("docs/driving.md does not say what %s means", f[1])
		}
	}
}

// A row of docs/configuration.md has as many defaults as variables, in their order, each as the program has it.
func TestReference_Defaults(t *testing.T) {
	known, byMachine := config.Variables(), map[string]string{"HERMES_DB": "`~/.local/state/hermes/hermes.db`"}
	names, defaults := table(t, "docs/configuration.md", "", 0), table(t, "docs/configuration.md", "", 1)
	for i, cell := range names {
		variables, values := quoted([]string{cell}), strings.Split(defaults[i], ", ")
		for n, name := range variables {
			value := values[min(n, len(values)-1)]
			want := byMachine[name]
			if known[name] != "" {
				want = "`" + known[name] + "`"
			}
			if (want == "" && strings.Contains(value, "`")) || want != "" && value != want {
				t.Errorf("docs/configuration.md: the default of %s is %s, not %s", name, want, value)
			}
		}
		if len(values) > 1 && len(values) != len(variables) {
			t.Errorf("docs/configuration.md: %d defaults for %s", len(values), cell)
		}
	}
}

// docs/terminal.md has what is completed after flags that the help shows: all that has values, and nothing that has none.
func TestReference_Completions(t *testing.T) {
	var there []string
	for _, span := range quoted(table(t, "docs/terminal.md", "## Completion", 0)) {
		for _, flag := range flagInHelp.FindAllString(span, -1) {
			if name := strings.TrimPrefix(flag, "--"); !slices.Contains(there, name) {
				there = append(there, name)
			}
		}
	}
	known, shown := map[string]bool{}, map[string]bool{}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		known[cmd.CommandPath()] = true
		for _, name := range flagInHelp.FindAllString(cmd.LocalFlags().FlagUsages(), -1) {
			shown[strings.TrimPrefix(name, "--")] = true
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(rootCommand(streams{}))
	wantSame(t, "docs/terminal.md", there, slices.DeleteFunc(slices.Collect(maps.Keys(flagCompletions())), func(name string) bool { return !shown[name] }))
	for path := range argumentCompletions() {
		if !known[path] {
			t.Errorf("what follows %q is completed, which is no command", path)
		}
	}
}
